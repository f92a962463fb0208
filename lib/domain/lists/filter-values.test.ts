import { describe, expect, it } from 'vitest'
import { formatFilter } from '@/lib/api-contract/filter'
import {
  describeFilter,
  isFilterValue,
  joinChoices,
  makeFilter,
  parseAmounts,
  parseDays,
  readRange,
  splitChoices,
  type TableFilter,
} from './filter-values'
import { parseView, formatView } from '@/components/data-table/table-view'
import { planQuery } from './list-plan'

const context = { zone: 'Europe/Copenhagen', today: '2026-11-25', amounts: 'minor' } as const
const shownAs = { locale: 'en-GB', amounts: 'minor' } as const
const label = (text: string) => () => text
const state: TableFilter = {
  kind: 'choice',
  id: 'state',
  label: label('State'),
  field: 'status',
  isOpen: true,
  isMultiple: true,
  options: [{ value: 'Pending', label: label('Pending') }],
}
const scheduled: TableFilter = { kind: 'days', id: 'scheduled', label: label('Collection date'), field: 'scheduleDate' }
const created: TableFilter = { kind: 'days', id: 'created', label: label('Created'), field: 'createdAt' }
const amount: TableFilter = { kind: 'amount', id: 'amount', label: label('Amount'), field: 'amount' }
const currency: TableFilter = {
  kind: 'choice',
  id: 'currency',
  label: label('Currency'),
  field: 'currency',
  isOpen: true,
  isMultiple: true,
  options: [],
}
const search: TableFilter = {
  kind: 'text',
  id: 'search',
  label: label('Search'),
  placeholder: label(''),
  search: { parts: ['customer/name', 'reference'], id: 'id', amount: 'amount' },
}
const filters = [search, state, scheduled, created, amount, currency]
const schema = { filters, columns: [{ accessorKey: 'amount', enableSorting: true, meta: { width: '1rem' } }] }
const write = (filter: TableFilter, values: Record<string, string>) => {
  const made = makeFilter(filter, values, context)
  return made && formatFilter(made)
}

describe('a choice of several', () => {
  it('is any of them', () => {
    expect(write(state, { state: 'Pending,Scheduled' })).toBe("status eq 'Pending' or status eq 'Scheduled'")
  })

  it('keeps values with commas and percent signs', () => {
    const values = ['a,b', '100%', '%2C']
    expect(splitChoices(joinChoices(values))).toEqual(values)
  })

  it('reads well in a URL', () => {
    const query = '?state=Pending,Scheduled&scheduled=2026-11-25..2026-12-02&amount=1000..5000&currency=DKK'
    const view = parseView(schema, new URLSearchParams(query))
    expect(formatView(schema, view)).toBe(query)
    expect(view.values).toEqual({
      state: 'Pending,Scheduled',
      scheduled: '2026-11-25..2026-12-02',
      amount: '1000..5000',
      currency: 'DKK',
    })
  })
})

describe('days', () => {
  it.each([
    ['today', { from: '2026-11-25', to: '2026-11-25' }],
    ['tomorrow', { from: '2026-11-26', to: '2026-11-26' }],
    ['next-7-days', { from: '2026-11-25', to: '2026-12-01' }],
    ['this-month', { from: '2026-11-01', to: '2026-11-30' }],
    ['2026-11-25', { from: '2026-11-25', to: '2026-11-25' }],
    ['2026-11-25..', { from: '2026-11-25', to: null }],
    ['..2026-11-25', { from: null, to: '2026-11-25' }],
    ['2026-12-02..2026-11-25', null],
    ['2026-02-30', null],
    ['..', null],
    ['2026-11-25..2026-11-26..', null],
    ['someday', null],
  ])('%s', (value, days) => {
    expect(parseDays(value, '2026-11-25')).toEqual(days)
    expect(isFilterValue(scheduled, value)).toBe(days !== null)
  })

  it('that mean nothing match nothing, and say so', () => {
    const { values } = parseView(schema, new URLSearchParams('scheduled=someday'))
    expect(write(scheduled, values)).toMatch(/^id eq /u)
    expect(describeFilter(scheduled, values, shownAs)).toBe('someday (not understood)')
  })

  it('end with the last day of a leap February', () => {
    expect(parseDays('this-month', '2028-02-10')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  })

  it('of a business date begin with the earlier of the two midnights, of a time with that of the zone', () => {
    expect(write(scheduled, { scheduled: '2026-11-25' })).toBe(
      'scheduleDate ge 2026-11-24T23:00:00.000Z and scheduleDate lt 2026-11-25T23:00:00.000Z',
    )
    expect(write(created, { created: '2026-07-01..' })).toBe('createdAt ge 2026-06-30T22:00:00.000Z')
  })
})

it.each([
  ['1.245,00', '', 'minor', 124_500],
  ['1,245.00', 'DKK', 'hundredths', 124_500],
  ['1,245.50', 'DKK', 'major', 1245.5],
  ['1,25', 'KWD', 'minor', 1250],
  ['1,25', 'KWD', 'hundredths', 125],
  ['1,25', 'JPY', 'minor', null],
] as const)('a search for %s of %s seeks an amount in the service’s unit (%s)', (text, code, amounts, sought) => {
  const made = makeFilter(search, { search: text, currency: code }, { ...context, amounts })
  const written = made ? formatFilter(made) : ''
  expect(/amount eq (.*)$/u.exec(written)?.[1] ?? null).toBe(sought === null ? null : String(sought))
})

describe('amounts', () => {
  it.each([
    ['1000..5000', 'DKK', { from: 100_000, to: 500_000 }],
    ['1000.5', 'DKK', { from: 100_050, to: 100_050 }],
    ['600..', 'JPY', { from: 600, to: null }],
    ['..1.234', 'KWD', { from: null, to: 1_234 }],
    ['1.5', 'JPY', null],
    ['1.234', 'DKK', null],
    ['5..1', 'DKK', null],
    ['-5', 'DKK', null],
    ['1e3', 'DKK', null],
    ['1000', 'XXX', null],
    ['1000', undefined, null],
  ])('%s %s', (value, code, range) => {
    expect(parseAmounts(value, code, 'minor')).toEqual(range)
  })

  it('are the service’s own numbers where it counts in whole currency or in hundredths', () => {
    expect(parseAmounts('12.5', 'DKK', 'major')).toEqual({ from: 12.5, to: 12.5 })
    expect(parseAmounts('600', 'JPY', 'hundredths')).toEqual({ from: 60_000, to: 60_000 })
  })

  it('without one currency match nothing, stay, and say so', () => {
    for (const query of ['amount=1000..5000', 'amount=1000..5000&currency=DKK,EUR']) {
      const { values } = parseView(schema, new URLSearchParams(query))
      expect(values.amount).toBe('1000..5000')
      expect(write(amount, values)).toMatch(/^id eq /u)
      expect(describeFilter(amount, values, { locale: 'da-DK', amounts: 'minor' })).toBe(
        'needs one currency: nothing is shown (1.000 to 5.000)',
      )
    }
  })

  it('filter again once there is one currency, whatever was chosen meanwhile', () => {
    let view = parseView(schema, new URLSearchParams('amount=2.5..5000&currency=DKK'))
    for (const code of ['DKK,EUR', 'EUR', 'JPY', '', 'DKK']) {
      const changed = { ...view, values: { ...view.values, currency: code } }
      view = parseView(schema, new URLSearchParams(formatView(schema, changed)))
    }
    expect(write(amount, view.values)).toBe('amount ge 250 and amount le 500000')
  })

  it('that their currency cannot have match nothing, and say so', () => {
    const read = (unit: 'minor' | 'hundredths' | 'major', query: string) => {
      const { values } = parseView(schema, new URLSearchParams(query))
      const made = makeFilter(amount, values, { ...context, amounts: unit })
      const isAmount = made !== null && formatFilter(made).startsWith('amount ')
      return [isAmount, describeFilter(amount, values, { locale: 'en-GB', amounts: unit }).replaceAll('\u00a0', ' ')]
    }
    expect(read('minor', 'amount=1000&currency=XXX')).toEqual([
      false,
      'not possible in this currency: nothing is shown (1000 XXX)',
    ])
    expect(read('major', 'amount=1000&currency=XXX')).toEqual([true, '1000 XXX'])
    const isTooExact = [false, 'not possible in this currency: nothing is shown (1.234 KWD)']
    expect(read('hundredths', 'amount=1.234&currency=KWD')).toEqual(isTooExact)
    expect(read('minor', 'amount=10.555&currency=DKK')[0]).toBe(false)
    expect(read('minor', 'amount=1.234&currency=KWD')).toEqual([true, '1.234 KWD'])
  })

  it.each(['many', '5..1', '-5', '1e3', '1.23456', '..', '1000..5000..'])(
    'that mean nothing match nothing, with and without a currency, and say so: %s',
    (value) => {
      expect(isFilterValue(amount, value)).toBe(false)
      for (const code of ['DKK', '']) {
        const values = { amount: value, currency: code }
        expect(write(amount, values)).toMatch(/^id eq /u)
        expect(describeFilter(amount, values, shownAs)).toBe(`${value} (not understood)`)
      }
    },
  )

  it('that mean nothing are described at a bearable length', () => {
    const described = describeFilter(amount, { amount: 'many'.repeat(1_000) }, shownAs)
    expect(described).toMatch(/^(?:many){50}… \(not understood\)$/u)
    expect(describeFilter(search, { search: '\u200b'.repeat(200) }, shownAs).length).toBeLessThan(500)
  })

  it('of an old address with leading zeros are shown as they filter', () => {
    const values = { amount: '0100..0200.50', currency: 'DKK' }
    expect(write(amount, values)).toBe('amount ge 10000 and amount le 20050')
    const described = describeFilter(amount, values, { locale: 'en-GB', amounts: 'minor' })
    expect(described.replaceAll('\u00a0', ' ')).toBe('100.00 DKK to 200.50 DKK')
  })

  it('are exactly, at least or at most', () => {
    expect(write(amount, { amount: '10', currency: 'DKK' })).toBe('amount eq 1000')
    expect(write(amount, { amount: '10..', currency: 'DKK' })).toBe('amount ge 1000')
    expect(write(amount, { amount: '10..20', currency: 'DKK' })).toBe('amount ge 1000 and amount le 2000')
  })

  it('are sorted within their currency', () => {
    const proofs = { 'order:amount': true, 'order:currency,amount': true }
    const plan = (query: string) => planQuery(filters, parseView(schema, new URLSearchParams(query)), proofs, context)
    expect(plan('sort=-amount').request).toEqual({ orderby: 'currency,amount desc' })
    expect(plan('sort=-amount&currency=DKK').request).toEqual({ orderby: 'amount desc' })
    expect(
      planQuery(filters, parseView(schema, new URLSearchParams('sort=amount')), {}, context).clientSide.orders,
    ).toEqual([
      { field: 'currency', direction: 'asc' },
      { field: 'amount', direction: 'asc' },
    ])
  })
})

describe('a search', () => {
  it('takes words in any order', () => {
    expect(write(search, { search: ' berg  ann ' })).toBe(
      "(contains(customer/name,'berg') or contains(reference,'berg')) and (contains(customer/name,'ann') or contains(reference,'ann'))",
    )
  })

  it('finds an id', () => {
    const id = '11111111-2222-4333-8444-555555555555'
    expect(write(search, { search: ` ${id}` })).toBe(`id eq '${id}'`)
  })
})

it('says in words what is set', () => {
  const values = { state: 'Pending,Zork', scheduled: '2026-11-25..', amount: '1000..5000', currency: 'DKK' }
  const describe = (filter: TableFilter) => describeFilter(filter, values, shownAs).replaceAll('\u00a0', ' ')
  expect(describe(state)).toBe('Pending or Zork')
  expect(describe(scheduled)).toBe('from 25 Nov 2026')
  expect(describe(amount)).toBe('1,000.00 DKK to 5,000.00 DKK')
  expect(describeFilter(created, { created: 'next-7-days' }, shownAs)).toBe('Next 7 days')
})

describe('a range of days as it was typed', () => {
  it('is open where an end is missing', () => {
    expect(readRange({ from: '2026-11-25', to: '2026-12-02' })).toEqual({
      value: '2026-11-25..2026-12-02',
      errors: null,
    })
    expect(readRange({ from: '', to: '2026-12-02' })).toEqual({ value: '..2026-12-02', errors: null })
  })

  it('is none without a day, or where it ends before it begins, and says so', () => {
    expect(readRange({ from: '', to: '' })).toEqual({
      value: '',
      errors: { from: 'Choose at least one date.' },
    })
    expect(readRange({ from: '2026-12-02', to: '2026-11-25' })).toEqual({
      value: '',
      errors: { to: '“To” must not be before “From”.' },
    })
  })
})
