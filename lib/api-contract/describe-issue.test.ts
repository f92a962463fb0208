import { expect, it } from 'vitest'
import * as z from 'zod'
import { describeIssue } from './describe-issue'

it.each<[z.ZodType, unknown, string]>([
  [z.string().max(1_024), 'a'.repeat(1_025), 'must be at most 1,024 characters'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(2), 'a', 'must be at least 2 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must be at most 1 entry'],
  [z.array(z.string()).min(2), [], 'must be at least 2 entries'],
  [z.int().min(1), 0, 'must be at least 1'],
  [z.number().max(100), 101, 'must be at most 100'],
  [z.enum(['admin', 'viewer']), 'owner', 'must be one of admin, viewer'],
  [z.literal('yes'), 'no', 'must be yes'],
  [z.email(), 'ann', 'must be an email address'],
  [z.uuid(), 'ann', 'must be a UUID'],
  [z.string().regex(/^a/u), 'b', 'doesn’t have the right format'],
  [z.union([z.string(), z.boolean()]), 1, 'wasn’t understood'],
  [z.string(), undefined, 'is required'],
  [z.object({}), 1, 'must be an object'],
  [z.string().max(1, 'must be short'), 'ab', 'must be short'],
  [z.string({ error: 'must be text' }), 1, 'must be text'],
])('says plainly, and never in the words of the library, what is wrong: %#', (schema, given, words) => {
  expect(schema.safeParse(given).error?.issues.map(describeIssue)).toEqual([words])
})
