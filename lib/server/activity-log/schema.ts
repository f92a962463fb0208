import * as z from 'zod'
import { activityOutcomes } from '@/lib/domain/activity/activity'
import { isStorable } from '@/lib/domain/text/is-storable'
import * as m from '@/lib/messages/m'

const searchText = z
  .string()
  .trim()
  .min(1)
  .max(320)
  .refine(isStorable, { error: m.requestRules_holdsCharactersThatCannotBeSearchedFor })
const day = z.iso.date()

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
    .regex(/^\d{1,15}$/u)
    .transform(Number)
    .optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/u)
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .optional(),
})

export type ActivityFilterQuery = z.output<typeof activityFilterQuery>
