import * as z from 'zod'
import { getOmissions, isRecord, normalizeFieldNames } from './record-fields'
import * as words from './words/page'

/**
 * The query of the three lists (docs/upstream-api.md, section 4). The interface documents it for customers and
 * mandates; for payments it is decision 0004. `limit` is 1 to 100, default 20 at the service.
 */
export const listQuery = z.strictObject({
  filter: z.string().min(1).max(4000).optional(),
  orderby: z.string().min(1).max(500).optional(),
  after: z.string().min(1).max(2048).optional(),
  limit: z.coerce
    .string()
    .regex(/^\d{1,4}$/u, words.mustBeAWholeNumber(1, 100))
    .transform(Number)
    .pipe(z.number().min(1, words.mustBeAtLeast(1)).max(100, words.mustBeAtMost(100)))
    .optional(),
})
export type ListQuery = z.output<typeof listQuery>

/** Why a walk through pages ended, or that it goes on (docs/compatibility.md, "where a list ends"). */
export type Continuation =
  | { kind: 'more'; after: string }
  | { kind: 'end' }
  | { kind: 'incomplete'; reason: 'no-offset' | 'no-word' | 'offset-too-long' | 'page-too-long' }

const longestOffset = 2048

/** A page is at most 100 items by the interface; what a service sends past this many in one reply is not read. */
const mostItems = 10_000

function readContinuation(hasMore: unknown, nextOffset: unknown): Continuation {
  if (hasMore === false) return { kind: 'end' }
  if (hasMore !== true) return { kind: 'incomplete', reason: 'no-word' }
  const after = typeof nextOffset === 'number' && Number.isFinite(nextOffset) ? String(nextOffset) : nextOffset
  if (typeof after !== 'string' || after === '') return { kind: 'incomplete', reason: 'no-offset' }
  if (after.length > longestOffset) return { kind: 'incomplete', reason: 'offset-too-long' }
  return { kind: 'more', after }
}

/** Whether a container gave a field twice: two lists, of which one would be a guess. */
function isContradicted(value: object, name: string): boolean {
  return getOmissions(value).some(({ field, why }) => why === 'twice' && field.toLowerCase() === name)
}

/**
 * Reads a pagination container (docs/upstream-api.md, section 2). `results` must be an array of objects: anything else
 * is an unreadable reply, for a shorter list must never pass as the whole. One bad entry is no reason to lose the
 * others. Entries that are not objects are counted in `unreadable`; those past 10,000 are left out, and the list is
 * then incomplete. How the walk continues is decided here once: only a literal `false` ends it. The three names count
 * in any letter case.
 */
export function page<Item extends z.ZodType>(item: Item) {
  const container = z.object({
    results: z.array(z.unknown()),
    hasMore: z.unknown().optional(),
    nextOffset: z.unknown().optional(),
  })
  return z
    .preprocess((value, context) => {
      if (isRecord(value) && isContradicted(value, 'results'))
        context.addIssue({ code: 'custom', path: ['results'], message: words.isGivenTwice })
      return normalizeFieldNames(value, Object.keys(container.shape))
    }, container)
    .transform(({ results, hasMore, nextOffset }) => {
      const taken = results.slice(0, mostItems)
      const read = taken.flatMap((entry): z.output<Item>[] => {
        const one = item.safeParse(entry)
        return one.success ? [one.data] : []
      })
      const continuation: Continuation =
        taken.length < results.length
          ? { kind: 'incomplete', reason: 'page-too-long' }
          : readContinuation(hasMore, nextOffset)
      return { results: read, unreadable: taken.length - read.length, continuation }
    })
}

/** One page of a list as the desk reads it. */
export type Page<Item> = { results: Item[]; unreadable: number; continuation: Continuation }
