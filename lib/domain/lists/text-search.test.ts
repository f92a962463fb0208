import { describe, expect, it } from 'vitest'
import { formatFilter } from '@/lib/api-contract/filter'
import { matchesFilter } from './row-matching'
import { customerSearch, findUncompared, paymentSearch, type SearchContext, searchFor } from './text-search'

const context: SearchContext = { amounts: 'minor', zone: 'Europe/Copenhagen' }
const row = {
  reference: 'INV-2027-010392',
  customer: { name: 'Ida Holm' },
  description: 'January, part 13',
  amount: 57_900,
  currency: 'DKK',
  // Midnight in Copenhagen.
  paymentDate: '2027-01-12T23:00:00Z',
}

function finds(text: string, more: Partial<SearchContext> = {}, of: object = row): boolean {
  const filter = searchFor(text, paymentSearch, { ...context, ...more })
  return filter !== null && matchesFilter(filter, of)
}

describe('a search for an amount', () => {
  it.each(['579', '579.00', '579,00', 'Holm 579', '579 DKK', 'dkk 579', '010392'])('finds a payment by %s', (text) => {
    expect(finds(text)).toBe(true)
  })

  it.each(['578', '579.50', '579 EUR', '0579', '57900', '5'])('does not find it by %s', (text) => {
    expect(finds(text, {}, { ...row, reference: 'INV' })).toBe(false)
  })

  it.each([
    ['1245', 'DKK', 124_500],
    ['1.245', 'DKK', 124_500],
    ['1,245', 'DKK', 124_500],
    ['1,245', 'KWD', 1_245_000],
    ['579 JPY', 'JPY', 579],
  ])('takes thousands with and without a separator, of the currency beside it: %s', (text, currency, amount) => {
    expect(finds(text, { currency }, { ...row, amount, currency })).toBe(true)
  })

  it('knows the currency beside it where the list shows several', () => {
    expect(finds('579 JPY', {}, { ...row, amount: 579, currency: 'JPY' })).toBe(true)
    expect(finds('579 JPY', {}, { ...row, currency: 'JPY' })).toBe(false)
  })

  it('takes the code of a currency for a word where no amount is', () => {
    expect(finds('DKK')).toBe(false)
    expect(finds('all', {}, { ...row, customer: { name: 'All Stars' } })).toBe(true)
  })

  it.each(['579 kr', '579 kr.', 'KR 579'])('takes no “kr” for a word beside it: %s', (text) => {
    expect(finds(text)).toBe(true)
    expect(finds('kr')).toBe(false)
  })

  it('asks for no whole amount where the service does not compare amounts, so that references are found', () => {
    const uncompared = findUncompared({ 'eq:amount': false })
    const filter = searchFor('010 579', paymentSearch, { ...context, uncompared })
    expect(filter && formatFilter(filter)).not.toContain('amount')
    expect(finds('579.00', { uncompared })).toBe(true)
  })

  it('takes the code of a currency for a word where the service does not compare currencies', () => {
    const uncompared = findUncompared({ 'eq:amount': true, 'eq:currency': false })
    const filter = searchFor('579 DKK', paymentSearch, { ...context, uncompared })
    expect(filter && formatFilter(filter)).not.toContain('currency')
    expect(finds('579 DKK', { uncompared }, { ...row, reference: '579/DKK' })).toBe(true)
  })
})

describe('a search for a date', () => {
  it.each([
    '2027-01-13',
    '13.1.2027',
    '13/01/2027',
    '13 jan 2027',
    '13. januar 2027',
    '13 January 2027',
    'holm 13 Jan. 2027 579',
  ])('finds the payments of that day: %s', (text) => {
    expect(finds(text)).toBe(true)
  })

  it.each(['2027-01-14', '13 feb 2027', '1/13/2027', '30 feb 2027', '13 jan 2026', '13 Holm 2027'])(
    'does not find them by %s',
    (text) => {
      expect(finds(text, {}, { ...row, reference: 'INV' })).toBe(false)
    },
  )

  it.each([
    ['1. maj 2027', '2027-05-01'],
    ['1 Oct 2027', '2027-10-01'],
    ['1. okt. 2027', '2027-10-01'],
    ['1 march 2027', '2027-03-01'],
    ['31 dec 2027', '2027-12-31'],
  ])('reads English and Danish months: %s', (text, paymentDate) => {
    expect(finds(text, {}, { paymentDate })).toBe(true)
  })

  it.each([
    ['2027-01-14', 'INV-2027-01-14'],
    ['13 jan 2026', 'Rent  13  Jan 2026'],
  ])('still finds the text itself: %s', (text, reference) => {
    expect(finds(text, {}, { ...row, reference })).toBe(true)
  })

  it.each(['ge:paymentDate', 'lt:paymentDate', 'and'])(
    'is words where the service does not compare dates: %s',
    (one) => {
      const filter = searchFor('2027-01-13', paymentSearch, {
        ...context,
        uncompared: findUncompared({ [one]: false }),
      })
      expect(filter && formatFilter(filter)).not.toContain('paymentDate')
    },
  )

  it('is words where no date is sought', () => {
    const filter = searchFor('13 jan 2027', customerSearch, context)
    expect(filter && matchesFilter(filter, { name: 'Club 2027', number: 'JAN13', handle: null })).toBe(true)
  })
})
