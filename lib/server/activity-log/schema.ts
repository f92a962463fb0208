import * as z from 'zod'
import { activityOutcomes } from '@/lib/domain/activity'
import { isStorable } from '@/lib/domain/text/is-storable'

const searchText = z.string().trim().min(1).max(320).refine(isStorable, 'holds characters that cannot be looked for')
const day = z.string().refine((value) => {
  const read = /^\d{4}-\d{2}-\d{2}$/u.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(read) && new Date(read).toISOString().startsWith(value)
}, 'must be a day such as 2026-11-20')

/** `from` and `to` are days in the scheme's time zone, both inclusive. */
export const activityFilterQuery = z.strictObject({
  person: searchText.optional(),
  kind: searchText.optional(),
  action: searchText.optional(),
  outcome: z.enum(activityOutcomes).optional(),
  from: day.optional(),
  to: day.optional(),
  /** Ids or handles of objects, for a record's timeline. */
  object: z.array(searchText).max(10).optional(),
})

/** `after` is the sequence of the previous page's last row. */
export const activityPageQuery = activityFilterQuery.extend({
  after: z
    .string()
    .regex(/^\d{1,15}$/u, 'must be where a page said that it goes on')
    .transform(Number)
    .optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/u, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .optional(),
})

export type ActivityFilterQuery = z.output<typeof activityFilterQuery>
