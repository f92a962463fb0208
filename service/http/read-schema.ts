import type * as z from 'zod'
import { describeIssue } from '@/lib/contract/describe-issue'
import { Problem } from './problem'

/** A name as it may stand in a message: what a caller invents is cut short. */
const shorten = (name: string) => name.slice(0, 100)

/** Parses by a contract schema. Throws Problem `validation` with messages per field; values are never repeated. */
export function readSchema<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const errors = new Map<string, string[]>()
  const add = (name: string, message: string) =>
    errors.set(shorten(name), [...(errors.get(shorten(name)) ?? []), message])
  for (const issue of read.error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys.slice(0, 20)) add(key, 'is not known here')
    else add(issue.path.map(String).join('.') || 'body', describeIssue(issue))
  }
  const detail = [...errors].map(([name, messages]) => `${name}: ${messages.join(', ')}`).join('; ')
  throw new Problem('validation', `${detail.slice(0, 500)}.`, { errors: Object.fromEntries(errors) })
}
