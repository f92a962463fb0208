import type * as z from 'zod'
import { describeIssue } from '@/lib/api-contract/describe-issue'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { AppError } from '../runtime/app-error'
import { toFieldErrors } from './field-errors'
import type { QueryValues } from '../upstream/call-upstream'
import * as m from '@/lib/messages/m'

/** Parses path parameters by their schemas; throws AppError 'bad-request' naming the first invalid one. */
export function parseParams(schemas: Endpoint['params'], given: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const read = schema.safeParse(given[name])
      if (read.success) return [name, read.data]
      const [issue] = read.error.issues
      const reason = issue ? describeIssue(issue) : m.fields_wasNotUnderstood()
      throw new AppError('bad-request', { detail: m.refusals_fieldIs({ name, reason }), errors: { [name]: [reason] } })
    }),
  )
}

function isEmpty(given: unknown): boolean {
  return given === undefined || (typeof given === 'object' && given !== null && Object.keys(given).length === 0)
}

/** The output of a schema; undefined without one. */
export type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/**
 * Parses a query or a body by its strict schema; without a schema it must be empty. Throws AppError 'bad-request' with
 * messages per field.
 */
export function parsePart<Schema>(part: 'query' | 'body', schema: Schema | undefined, given: unknown): Parsed<Schema>
export function parsePart(part: 'query' | 'body', schema: z.ZodType | undefined, given: unknown): unknown {
  if (!schema) {
    if (part === 'query' ? isEmpty(given) : given === undefined) return undefined
    throw new AppError('bad-request', { detail: m.refusals_noPartIsTakenHere({ part }) })
  }
  const read = schema.safeParse(given)
  if (read.success) return read.data
  throw new AppError('bad-request', {
    detail: m.refusals_partWasNotUnderstood({ part }),
    // Of a body that is missing, its fields are.
    errors: toFieldErrors((given === undefined ? schema.safeParse({}).error : null) ?? read.error),
  })
}

/** The primitive values of a parsed query, which can be written into an address. */
export function readQueryValues(query: unknown): QueryValues {
  if (typeof query !== 'object' || query === null) return {}
  const plain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(Object.entries(query).filter(([, value]) => plain(value)))
}
