import * as z from 'zod'
import { type Filter, filterFields } from '@/lib/api-contract/filter'
import { isRecord } from '@/lib/api-contract/record-fields'
import { storableText } from '../text/storable-text'
import type { ListId } from './capabilities'
import * as m from '@/lib/messages/m'

/** Every row is matched against every condition; filters that people build have a dozen. */
const MAX_CONDITIONS = 100
const MAX_DEPTH = 8

/** Why a filter is too large, checked before it is parsed; null when it is not. */
function explainSize(given: unknown): string | null {
  let level = [given]
  let conditions = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return m.requestRules_mustNestAtMost({ depth: MAX_DEPTH })
    const next: unknown[] = []
    for (const one of level) {
      if (isRecord(one) && Array.isArray(one.filters)) next.push(...one.filters.slice(0, MAX_CONDITIONS + 1))
      else conditions += 1
      if (conditions + next.length > MAX_CONDITIONS)
        return m.requestRules_mustHaveAtMostConditions({ conditions: MAX_CONDITIONS })
    }
    level = next
  }
  return null
}

/** Whether a list can be filtered and sorted by a field: no row of another would match. */
export function isFieldOfList(list: ListId, field: string): boolean {
  return Object.hasOwn(filterFields[list], field)
}

/** Schema of a filter sent by the browser: fields that `field` accepts, at most 100 conditions, nested at most 8 deep. */
export function filterRequest(field: z.ZodType<string>): z.ZodType<Filter> {
  const text = storableText.max(500)
  const value = z.union([text, z.number(), z.boolean(), z.strictObject({ moment: text.max(40) })])
  const comparison = z.enum(['eq', 'ne', 'gt', 'ge', 'lt', 'le'])
  const filter: z.ZodType<Filter> = z.lazy(() =>
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('compare'), field, comparison, value }),
      z.strictObject({ kind: z.literal('contains'), field, value: text }),
      z.strictObject({ kind: z.enum(['and', 'or']), filters: z.array(filter).min(1) }),
    ]),
  )
  return z
    .unknown()
    .superRefine((given, context) => {
      const message = explainSize(given)
      if (message) context.addIssue({ code: 'custom', message })
    })
    .pipe(filter)
}
