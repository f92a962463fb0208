import { describe, expect, it } from 'vitest'
import type { CapabilityProofs } from './capabilities'
import { planQuery } from './list-plan'
import { context, filters } from './testing/filters'

describe('the plan of a view', () => {
  const search = ['contains:customer/name', 'contains:reference', 'or']
  const look = (values: Record<string, string>) => ({ values, sorting: null })
  const view = {
    values: { search: 'ann', state: 'Pending', mode: 'live' },
    sorting: { field: 'createdAt', direction: 'desc' as const },
  }
  const proven = (...abilities: string[]): CapabilityProofs =>
    Object.fromEntries(abilities.map((ability) => [ability, true]))

  it('asks the service for everything where everything is proven', () => {
    const plan = planQuery(filters, view, proven(...search, 'eq:status', 'eq:test', 'and', 'order:createdAt'), context)
    expect(plan.request).toEqual({
      filter: "(contains(customer/name,'ann') or contains(reference,'ann')) and status eq 'Pending' and test eq false",
      orderby: 'createdAt desc',
    })
    expect(plan.requestedOrders).toEqual([{ field: 'createdAt', direction: 'desc' }])
    expect(plan.clientSide).toEqual({ filter: null, orders: [] })
  })

  it('tells that case-sensitive where the service was found to mind them', () => {
    const minding = { ...proven(...search, 'eq:status'), 'anycase:reference': false }
    expect(planQuery(filters, look({ search: 'ann' }), minding, context).isCaseSensitive).toBe(true)
    expect(planQuery(filters, look({ state: 'Pending' }), minding, context).isCaseSensitive).toBe(false)
    // Client-side filters ignore case.
    expect(planQuery(filters, look({ search: 'ann' }), { 'anycase:reference': false }, context).isCaseSensitive).toBe(
      false,
    )
  })

  it('asks for nothing where nothing is proven, and does all of it with the loaded rows', () => {
    const plan = planQuery(filters, view, { 'eq:status': false }, context)
    expect(plan.request).toEqual({})
    expect(plan.requiredCapabilities).toEqual([])
    expect(plan.clientSide.orders).toEqual([{ field: 'createdAt', direction: 'desc' }])
    expect(plan.clientSide.filter).toMatchObject({ kind: 'and', filters: { length: 3 } })
  })

  it('asks for one filter only where joining them is not proven', () => {
    const plan = planQuery(filters, view, proven('eq:status', 'eq:test'), context)
    expect(plan.request).toEqual({ filter: "status eq 'Pending'" })
    expect(plan.clientSide.filter).toMatchObject({ kind: 'and', filters: { length: 2 } })
  })

  it('does not search in half of the fields', () => {
    const plan = planQuery(filters, look({ search: 'ann' }), proven('contains:customer/name', 'or'), context)
    expect(plan.request).toEqual({})
  })
})
