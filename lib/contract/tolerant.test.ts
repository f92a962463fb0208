import { describe, expect, it } from 'vitest'
import { agreement } from './agreements'
import { customer } from './customers'
import { mandate } from './mandates'
import { page } from './page'
import { payment } from './payments'
import { problemRecord } from './problem'

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
