import { describe, expect, it } from 'vitest'
import type { TypedCustomer } from '@/lib/api-contract/customer-fields'
import { customer } from '@/lib/api-contract/customers'
import { attachOmissions } from '@/lib/api-contract/record-fields'
import { planCustomerUpdate, toIntactValues, toCustomerValues } from './customer-update'

const blank: TypedCustomer = {
  name: '',
  number: '',
  addressLine1: '',
  addressLine2: '',
  city: '',
  country: '',
  postalCode: '',
}
const said = { name: 'Ann', number: '7', city: 'Ribe' }
const shown = { opened: said, seen: said, now: said }

describe('a change of a customer', () => {
  it('sends what was typed together with what was read, and nothing that was neither', () => {
    const { body, clashes } = planCustomerUpdate({ ...blank, ...said, number: '8' }, shown)
    expect(body).toEqual({ name: 'Ann', number: '8', city: 'Ribe' })
    expect(clashes).toEqual([])
  })

  it('takes outer spaces from a name that was typed, and from none that was read', () => {
    const spaced = { ...said, name: ' Ann ' }
    const read = { opened: spaced, seen: spaced, now: spaced }
    expect(planCustomerUpdate({ ...blank, ...spaced, city: 'Varde' }, read).body.name).toBe(' Ann ')
    expect(planCustomerUpdate({ ...blank, ...said, name: ' Bo ' }, shown).body.name).toBe('Bo')
  })

  it('never sends back what was damaged on the way', () => {
    const told = { name: 'S\uFFFDren', city: 'Ribe' }
    attachOmissions(told, [{ field: 'name', why: 'not-utf8' }])
    const intact = toIntactValues(customer.parse(told))
    const { body } = planCustomerUpdate(
      { ...blank, ...intact, number: '8' },
      { opened: intact, seen: intact, now: intact },
    )
    expect(body).toEqual({ number: '8', city: 'Ribe' })
  })

  it('sends a field empty only where the user emptied it', () => {
    const { body } = planCustomerUpdate({ ...blank, ...said, city: '' }, shown)
    expect(body).toEqual({ name: 'Ann', number: '7', city: '' })
  })

  it('sends what the service did not say once it was typed', () => {
    expect(planCustomerUpdate({ ...blank, ...said, country: 'DK' }, shown).body.country).toBe('DK')
  })

  it('keeps what somebody else has changed meanwhile in fields that were not touched', () => {
    const { body, clashes } = planCustomerUpdate(
      { ...blank, ...said, number: '8' },
      { ...shown, now: { ...said, city: 'Vejle' } },
    )
    expect(body).toEqual({ name: 'Ann', number: '8', city: 'Vejle' })
    expect(clashes).toEqual([])
  })

  it('names the fields that both have changed, until the user has seen it', () => {
    const now = { ...said, number: '9' }
    const typed = { ...blank, ...said, number: '8' }
    expect(planCustomerUpdate(typed, { ...shown, now }).clashes).toEqual(['number'])
    const again = planCustomerUpdate(typed, { opened: said, seen: now, now })
    expect(again.clashes).toEqual([])
    expect(again.body.number).toBe('8')
  })
})

it('reads only what the service said, numbers as their digits', () => {
  const record = { id: 'x', name: 'Ann', number: null, handle: null, createdAt: null, modifiedAt: null, mandates: null }
  expect(toCustomerValues({ ...record, postalCode: 6760, city: { name: 'Ribe' } })).toEqual({
    name: 'Ann',
    postalCode: '6760',
  })
})
