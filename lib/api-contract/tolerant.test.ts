import { describe, expect, it } from 'vitest'
import { agreement } from './agreements'
import { customer } from './customers'
import { mandate } from './mandates'
import { page } from './pagination'
import { payment } from './payments'
import { problemRecord } from './problem'
import { listOmissions } from './record-fields'

const records = { payment, customer, mandate, agreement, problemRecord }
const misshapen = [undefined, null, 7, true, 'text', [], {}, [null], { id: {} }]

describe.each(Object.entries(records))('%s', (_, record) => {
  it('is read when every field is missing', () => {
    expect(record.safeParse({}).success).toBe(true)
  })

  it('is read whatever any one field, or any two, may hold (UP-20)', () => {
    const names = Object.keys(record.shape)
    for (const first of names) {
      for (const second of names) {
        for (const value of misshapen) {
          expect(record.safeParse({ [first]: value, [second]: null }).success).toBe(true)
        }
      }
    }
  })
})

describe('a payment that holds every field as documented', () => {
  const whole = {
    ...Object.fromEntries(Object.keys(payment.shape).map((name) => [name, `${name} of it`])),
    amount: 100,
    test: false,
    settlementDate: null,
    customer: { id: 'c', name: null, number: '7' },
    mandate: { id: 'm', handle: 'h', scheme: 's' },
    further: { Id: 'x' },
  }

  it('is read as it stands, with what it holds besides', () => {
    expect(payment.parse(whole)).toBe(whole)
  })

  it.each([
    [{ test: 'true' }, { test: true }],
    [{ test: 2 }, { test: null, 'test (as told)': 2 }],
    [{ id: 7 }, { id: '7' }],
    [{ amount: [] }, { amount: null, 'amount (as told)': [] }],
    [{ customer: 'c' }, { customer: null, 'customer (as told)': 'c' }],
    [{ customer: { id: 'c' } }, { customer: { id: 'c', name: null } }],
    [{ customer: { ID: 'c', name: 'n' } }, { customer: { id: 'c', name: 'n' } }],
    [
      { mandate: { id: {}, handle: 'h', scheme: 's' } },
      { mandate: { id: null, handle: 'h', scheme: 's', 'id (as told)': {} } },
    ],
  ])('is read field by field as soon as one is not: %j', (said, read) => {
    expect(payment.parse({ ...whole, ...said })).toEqual({ ...whole, ...read })
  })

  it.each(['id', 'settlementDate', 'customer'])('says of a %s that is missing that it is null', (name) => {
    const others = Object.fromEntries(Object.entries(whole).filter(([field]) => field !== name))
    expect(payment.parse(others)).toEqual({ ...others, [name]: null })
  })
})

describe('a customer', () => {
  it('is read by its mandates too', () => {
    const said = (mandates: unknown) => ({
      ...Object.fromEntries(['id', 'name', 'handle', 'number', 'createdAt', 'modifiedAt'].map((name) => [name, name])),
      mandates,
    })
    const mandates = [{ handle: 'h', scheme: 's', state: 'Active' }]
    expect(customer.parse(said(mandates))).toEqual(said(mandates))
    const seven = { handle: '7', scheme: null, state: null }
    expect(customer.parse(said([...mandates, { handle: 7 }]))).toEqual(said([...mandates, seven]))
    expect(customer.parse(said([]))).toEqual(said([]))
  })

  it.each([[['md_1', null, { handle: 'h' }]], [['md_1']], [[null]]])(
    'keeps its mandates as told where one cannot be read: %j',
    (mandates) => {
      const parsed = customer.parse({ mandates })
      expect(parsed).toMatchObject({ mandates: null, 'mandates (as told)': mandates })
      expect(listOmissions(parsed)).toEqual([{ field: 'mandates', why: 'misshapen' }])
    },
  )
})

describe('a page', () => {
  it('is read without hasMore and nextOffset, as a list that may be incomplete', () => {
    expect(page(payment).parse({ results: [{ id: 'a' }] })).toMatchObject({
      results: [{ id: 'a', status: null }],
      unreadable: 0,
      continuation: { kind: 'incomplete', reason: 'no-word' },
    })
  })

  it.each([[null], [{}], ['text'], [undefined]])('is refused when its results are %j', (results) => {
    expect(page(payment).safeParse({ results, hasMore: false }).success).toBe(false)
  })

  it('is refused when it is a bare array', () => {
    expect(page(payment).safeParse([]).success).toBe(false)
  })
})
