import { type Ability, abilitiesFor, abilityFor, mindsCase, type Proofs } from '@/lib/contract/ability'
import { type Filter, formatFilter, formatOrder, type Order } from '@/lib/contract/filter'
import type { TableFilter } from './list-definition'
import type { TableView } from './table-view'

/** How a view is brought about: what the service is asked, and what is left to do with the loaded rows. */
export type ListPlan = {
  ask: { filter?: string; orderby?: string }
  /** The filter that is asked, for checking that the answer keeps to it. */
  asked: Filter | null
  /** What must have been proven for the asking. */
  abilities: readonly Ability[]
  rest: { filter: Filter | null; order: Order | null }
  /** Whether the service finds only what has the very capital letters that are asked for. */
  mindsCase: boolean
}

function join(kind: 'and' | 'or', filters: readonly Filter[]): Filter | null {
  const [first, ...others] = filters
  if (!first) return null
  return others.length === 0 ? first : { kind, filters }
}

function makeFilter(filter: TableFilter, value: string): Filter | null {
  if (filter.kind === 'text') {
    const wanted = value.trim()
    return join(
      'or',
      filter.fields.map((field) => ({ kind: 'contains', field, value: wanted })),
    )
  }
  const option = filter.options.find((one) => one.value === value)
  return { kind: 'compare', field: filter.field, comparison: 'eq', value: option?.is ?? value }
}

/**
 * Plans a view: filters and order go to the service as far as `proofs` carry them; the same filter and
 * order work on the loaded rows where they do not. `within` always holds, such as "of this customer".
 */
export function planQuery(
  filters: readonly TableFilter[],
  view: TableView,
  proofs: Proofs,
  within: Filter | null = null,
): ListPlan {
  const isProven = (abilities: readonly Ability[]) => abilities.every((ability) => proofs[ability] === true)
  const chosen = filters.flatMap((filter) => {
    const value = view.values[filter.id]
    return (value === undefined ? null : makeFilter(filter, value)) ?? []
  })
  // Of several conditions at once each goes as far as it can.
  const parts = within?.kind === 'and' ? within.filters : within ? [within] : []
  const wanted = [...parts, ...chosen]
  const able = wanted.filter((filter) => isProven(abilitiesFor(filter)))
  const sent = isProven(['and']) ? able : able.slice(0, 1)
  const asked = join('and', sent)
  const canOrder = view.order !== null && isProven([abilityFor(view.order)])
  return {
    ask: {
      ...(asked && { filter: formatFilter(asked) }),
      ...(canOrder && view.order && { orderby: formatOrder([view.order]) }),
    },
    asked,
    abilities: [...(asked ? abilitiesFor(asked) : []), ...(canOrder && view.order ? [abilityFor(view.order)] : [])],
    rest: {
      filter: join(
        'and',
        wanted.filter((filter) => !sent.includes(filter)),
      ),
      order: canOrder ? null : view.order,
    },
    mindsCase: asked !== null && mindsCase(asked, proofs),
  }
}
