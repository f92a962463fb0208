import { describe, expect, it } from 'vitest'
import { formatPaymentNames, pickPaymentNames } from './bulk-list'

const name = (names: readonly string[]) => formatPaymentNames(pickPaymentNames(names))

describe('the name of a list of payments', () => {
  it('is what its first payments are called, and how many more there are', () => {
    expect(name(['PMT-1'])).toBe('PMT-1')
    expect(name(['PMT-1', 'PMT-2'])).toBe('PMT-1, PMT-2')
    expect(name(['PMT-1', 'PMT-2', 'PMT-3'])).toBe('PMT-1, PMT-2 +1')
    expect(name(Array.from({ length: 5_000 }, (_, at) => `PMT-${at}`))).toBe('PMT-0, PMT-1 +4998')
  })

  it('leaves out names of spaces, and is empty where there is no other', () => {
    expect(name(['', ' PMT-2 ', '  '])).toBe('PMT-2 +2')
    expect(name(['', ' '])).toBe('')
    expect(name([])).toBe('')
  })

  it('shows of a UUID its first part', () => {
    const ids = ['0afe7496-bf1a-48b4-8257-38c7dc0a4b11', 'D4F4DEA0-792E-425B-86DF-E740091DF2A3', 'x'.repeat(36)]
    expect(name(ids.slice(0, 2))).toBe('0afe7496…, D4F4DEA0…')
    expect(name(ids.slice(2))).toBe(`${'x'.repeat(30)}…`)
  })

  it('stays within what a name may have', () => {
    expect(name(Array.from({ length: 5_000 }, () => '😀'.repeat(500))).length).toBeLessThan(200)
  })
})
