import type { RowList } from '@/lib/browser/row-list'
import { readField } from '@/lib/contract/read-field'
import { readMoment } from '@/lib/contract/read-moment'
import type { ListPlan } from './plan-query'

const sample = 100

/**
 * Whether new rows appear on top of a list: it is sorted so by a service that was proven to sort, or the
 * rows that it gave unasked stand so, at least two moments among them.
 */
export function isNewestFirst<Row>(
  list: RowList<Row>,
  createdField: string | undefined,
  { ask, rest }: ListPlan,
): boolean {
  if (createdField === undefined || rest.order) return false
  if (ask.orderby !== undefined) return ask.orderby === `${createdField} desc`
  const count = Math.min(sample, list.rows.end)
  const moments = Array.from({ length: count }, (_, at) => readMoment(readField(list.rows.at(at), createdField)))
  const isDescending = moments.every((moment, at) => at === 0 || moment <= (moments[at - 1] ?? Number.NaN))
  return isDescending && moments[0] !== moments.at(-1)
}
