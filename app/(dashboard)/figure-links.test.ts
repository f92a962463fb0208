import { expect, it } from 'vitest'
import type { OverviewFigures } from '@/lib/domain/overview'
import { linkFigures } from './figure-links'

const none = { count: 0, sum: '0' }
const figures: OverviewFigures = {
  mode: 'live',
  currency: 'DKK',
  toCome: [],
  later: none,
  overdue: none,
  settled: [],
  rejected: none,
  chargebacks: none,
  lately: { rejected: none, chargebacks: none },
  closing: none,
  unreadAmounts: 0,
  filters: {
    states: { open: ['Pending', 'Scheduled'], settled: ['settled'], rejected: ['Rejected'], chargebacks: [] },
    debitedBy: 'payment',
    settledBy: 'settled',
    failedBy: 'modified',
    hasUndated: false,
  },
}
const link = (changes: Partial<OverviewFigures> = {}, others: OverviewFigures[] = []) => {
  const changed = { ...figures, ...changes }
  return linkFigures({ today: '2026-11-27', figures: [changed, ...others] }, changed)
}

it('leads each figure to the filters that count it', () => {
  const links = link()
  expect(links.toCome({ from: '2026-11-27', to: '2026-12-24' })).toBe(
    '/payments?state=Pending,Scheduled&payment=2026-11-27..2026-12-24&currency=DKK&mode=live',
  )
  expect(links.later).toBe('/payments?state=Pending,Scheduled&payment=2026-12-25..&currency=DKK&mode=live')
  expect(links.overdue).toBe('/payments?state=Pending,Scheduled&payment=..2026-11-26&currency=DKK&mode=live')
  expect(links.settled('2028-02')).toBe('/payments?state=settled&settled=2028-02-01..2028-02-29&currency=DKK&mode=live')
  expect(links.rejected).toBe('/payments?state=Rejected&modified=2026-10-29..&currency=DKK&mode=live')
  const undated = { ...figures.filters, failedBy: 'nothing' as const }
  expect(link({ filters: undated }).rejected).toBe('/payments?state=Rejected&currency=DKK&mode=live')
  expect(links.closing).toBe('/payments/closing?currency=DKK&mode=live')
})

it('has no link where no filter shows exactly what is counted', () => {
  expect(link().chargebacks).toBeNull()
  expect(link({ currency: null }).rejected).toBeNull()
  const { filters } = figures
  expect(link({ filters: { ...filters, debitedBy: null } }).overdue).toBeNull()
  expect(link({ filters: { ...filters, failedBy: null } }).rejected).toBeNull()
  expect(link({ filters: { ...filters, hasUndated: true } })).toMatchObject({
    later: null,
    overdue: expect.any(String),
  })
  expect(link({ filters: { ...filters, states: { ...filters.states, open: ['Pending', ' '] } } }).overdue).toBeNull()
})

it('leaves the mode out when the service never says it, and has no link when it says it of some', () => {
  expect(link({ mode: 'unsaid' }).rejected).toBe('/payments?state=Rejected&modified=2026-10-29..&currency=DKK')
  expect(link({ mode: 'unsaid' }, [figures]).rejected).toBeNull()
})
