import { describe, expect, it } from 'vitest'
import { approvalRule } from './approval'
import { bulkNeedsApproval, exceedsLimits, ruleFor } from './needs-approval'

const rule = (limits: [string, string][], everyBulk = false) => ({
  everyBulk,
  limits: limits.map(([currency, amount]) => ({ currency, amount })),
  hours: 24,
})
const payment = (currency: string | null, amount: string | null) => ({ currency, amount })

describe('limits', () => {
  it.each([
    ['exactly the limit', [payment('DKK', '1000000')], false],
    ['a minor unit more', [payment('DKK', '1000001')], true],
    ['several together', [payment('DKK', '600000'), payment('DKK', '500000')], true],
    ['an amount below zero, which lowers nothing', [payment('DKK', '1000000'), payment('DKK', '-1')], true],
    ['an amount far below zero', [payment('DKK', '-1000001')], true],
    ['several currencies, each within its own', [payment('DKK', '1000000'), payment('JPY', '50000')], false],
    ['a currency without decimals, in its own units', [payment('JPY', '50001')], true],
    ['a currency without a limit', [payment('EUR', '1')], true],
    ['no currency', [payment(null, '1')], true],
    ['a currency in lower case, whose unit nobody knows', [payment('dkk', '1')], true],
    ['an amount that can’t be added', [payment('DKK', null)], true],
  ])('%s', (_, payments, exceeds) => {
    expect(
      exceedsLimits(
        payments,
        rule([
          ['DKK', '10000'],
          ['JPY', '50000'],
        ]),
        'minor',
      ),
    ).toBe(exceeds)
  })

  it.each([
    ['major', '10000.5', '10000.50', false],
    ['major', '10000.51', '10000.50', true],
    ['hundredths', '1000050', '10000.50', false],
    ['hundredths', '1000051', '10000.50', true],
  ] as const)('are in whole currency when the service’s are in %s: %s against %s', (unit, amount, most, exceeds) => {
    expect(exceedsLimits([payment('DKK', amount)], rule([['DKK', most]]), unit)).toBe(exceeds)
  })
})

it('no rule asks for nobody; every bulk is every bulk', () => {
  expect(bulkNeedsApproval([payment('EUR', '1')], null, 'minor')).toBe(false)
  expect(bulkNeedsApproval([payment('EUR', '1')], rule([]), 'minor')).toBe(false)
  expect(bulkNeedsApproval([payment('EUR', '1')], rule([], true), 'minor')).toBe(true)
})

it('a rule names each currency once, by its code', () => {
  expect(
    approvalRule.safeParse(
      rule([
        ['dkk', '1'],
        ['EUR', '2.50'],
      ]),
    ).data?.limits[0]?.currency,
  ).toBe('DKK')
  expect(
    approvalRule.safeParse(
      rule([
        ['DKK', '1'],
        ['dkk', '2'],
      ]),
    ).success,
  ).toBe(false)
  expect(approvalRule.safeParse(rule([['DKK', '999999999999.9999']])).success).toBe(true)
  for (const amount of ['', '-1', '1,5', '1e5', '01', '1000000000000'])
    expect(approvalRule.safeParse(rule([['DKK', amount]])).success).toBe(false)
  expect(approvalRule.safeParse(rule([['XXX', '1']])).success).toBe(false)
})

describe('lower limits for support', () => {
  const both = {
    ...rule([['DKK', '10000']]),
    supportLimits: rule([
      ['DKK', '1000'],
      ['EUR', '100'],
    ]).limits,
  }

  it('leave admins out, and hold for every other role, and for somebody without one', () => {
    expect(ruleFor(both, 'admin')?.limits).toEqual(both.limits)
    for (const role of ['support', 'support-without-bulk', 'viewer', 'nonsense', ''])
      expect(ruleFor(both, role)?.limits).toEqual(both.supportLimits)
    expect(ruleFor(null, 'support')).toBeNull()
  })

  it('count only where they are the lower ones', () => {
    const higher = { ...rule([['DKK', '1000']]), supportLimits: rule([['DKK', '1000.01']]).limits }
    expect(ruleFor(higher, 'support')?.limits).toEqual([{ currency: 'DKK', amount: '1000' }])
  })

  it('alone leave admins without a limit', () => {
    const only = { ...rule([]), supportLimits: rule([['DKK', '1000']]).limits }
    expect(exceedsLimits([payment('DKK', '900000')], ruleFor(only, 'admin') ?? only, 'minor')).toBe(false)
    expect(exceedsLimits([payment('DKK', '900000')], ruleFor(only, 'support') ?? only, 'minor')).toBe(true)
    expect(exceedsLimits([payment('EUR', '1')], ruleFor(only, 'support') ?? only, 'minor')).toBe(true)
  })

  it('name each currency once, each list by itself', () => {
    expect(approvalRule.safeParse(both).success).toBe(true)
    const twice = { ...both, supportLimits: [...both.supportLimits, ...both.supportLimits] }
    expect(approvalRule.safeParse(twice).error?.issues.map(({ path }) => path)).toEqual([['supportLimits']])
  })
})
