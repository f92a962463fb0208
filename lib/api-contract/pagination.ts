import * as z from 'zod'
import { getOmissions, isRecord, normalizeFieldNames } from './record-fields'

import * as m from '../messages/m'
/** The characters of an offset that is followed. Enough for the embedded service's longest: two texts of 200 characters, each of which its folding may write as six bytes. */
export const MAX_OFFSET_LENGTH = 4096

/**
 * The query of the three lists (docs/upstream-api.md, section 4). Documented for customers and mandates; for payments
 * it is decision 0004. `limit` is 1 to 100; the service's default is 20.
 */
export const listQuery = z.strictObject({
  filter: z.string().min(1).max(4000).optional(),
  orderby: z.string().min(1).max(500).optional(),
  after: z.string().min(1).max(MAX_OFFSET_LENGTH).optional(),
  limit: z.coerce
    .string()
    .regex(/^\d{1,4}$/u, { error: () => m.pageRules_mustBeAWholeNumber({ least: 1, most: 100 }) })
    .transform(Number)
    .pipe(
      z
        .number()
        .min(1, { error: () => m.pageRules_mustBeAtLeast({ least: 1 }) })
        .max(100, { error: () => m.pageRules_mustBeAtMost({ most: 100 }) }),
    )
    .optional(),
})
export type ListQuery = z.output<typeof listQuery>

/** Whether and how a list continues after a page (docs/compatibility.md, "where a list ends"). */
export type Continuation =
  | { kind: 'more'; after: string }
  | { kind: 'end' }
  | { kind: 'incomplete'; reason: 'no-offset' | 'no-word' | 'offset-too-long' | 'page-too-long' }

/** The interface allows at most 100 items a page; items beyond this many in one reply are not read. */
const MAX_ITEMS = 10_000

function parseContinuation(hasMore: unknown, nextOffset: unknown): Continuation {
  if (hasMore === false) return { kind: 'end' }
  if (hasMore !== true) return { kind: 'incomplete', reason: 'no-word' }
  const after = typeof nextOffset === 'number' && Number.isFinite(nextOffset) ? String(nextOffset) : nextOffset
  if (typeof after !== 'string' || after === '') return { kind: 'incomplete', reason: 'no-offset' }
  if (after.length > MAX_OFFSET_LENGTH) return { kind: 'incomplete', reason: 'offset-too-long' }
  return { kind: 'more', after }
}

/** Whether a container holds a field twice with different values: choosing one would be a guess. */
function isGivenTwice(value: object, name: string): boolean {
  return getOmissions(value).some(({ field, why }) => why === 'twice' && field.toLowerCase() === name)
}

/**
 * Schema of a pagination container (docs/upstream-api.md, section 2), with its three names in any letter case.
 * `results` must be an array, else the reply is unreadable: a shorter list must never pass as the whole. Entries that
 * are not objects are counted in `unreadable`; entries past 10,000 are dropped and make the list incomplete. Only a
 * literal `hasMore: false` ends a list.
 */
export function page<Item extends z.ZodType>(item: Item) {
  const container = z.object({
    results: z.array(z.unknown()),
    hasMore: z.unknown().optional(),
    nextOffset: z.unknown().optional(),
  })
  return z
    .preprocess((value, context) => {
      if (isRecord(value) && isGivenTwice(value, 'results'))
        context.addIssue({ code: 'custom', path: ['results'], message: m.pageRules_isGivenTwice() })
      return normalizeFieldNames(value, Object.keys(container.shape))
    }, container)
    .transform(({ results, hasMore, nextOffset }) => {
      const taken = results.slice(0, MAX_ITEMS)
      const read = taken.flatMap((entry): z.output<Item>[] => {
        const one = item.safeParse(entry)
        return one.success ? [one.data] : []
      })
      const continuation: Continuation =
        taken.length < results.length
          ? { kind: 'incomplete', reason: 'page-too-long' }
          : parseContinuation(hasMore, nextOffset)
      return { results: read, unreadable: taken.length - read.length, continuation }
    })
}

/** One page of a list, parsed. */
export type Page<Item> = { results: Item[]; unreadable: number; continuation: Continuation }
