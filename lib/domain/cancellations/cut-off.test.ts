import { describe, expect, it } from 'vitest'
import {
  classifyCutOff,
  type CutOffConfig,
  estimateCutOff,
  formatCutOff,
  listClosingDates,
  parseCutOffRules,
} from './cut-off'

const zone = 'Europe/Copenhagen'

function makeFacts(text: string): CutOffConfig {
  const rules = parseCutOffRules(text)
  if (!rules) throw new Error('the rules are wrong')
  return { rules, zone }
}

const facts = makeFacts('*=1@16:00')

function estimate(scheduleDate: string | null, scheme: string | null = 'nets-bs', given = facts): string | null {
  const cutOff = estimateCutOff({ scheduleDate, scheme }, given)
  return cutOff && new Date(cutOff.at).toISOString()
}

describe('the estimate', () => {
  it.each([
    ['a winter day', '2026-11-24T00:00:00Z', 'nets-bs', '2026-11-23T15:00:00.000Z'],
    ['a summer day', '2026-07-15T00:00:00Z', 'nets-bs', '2026-07-14T14:00:00.000Z'],
    ['the Monday after clocks went forward', '2026-03-30T00:00:00Z', 'nets-bs', '2026-03-27T15:00:00.000Z'],
    ['the Tuesday after', '2026-03-31T00:00:00Z', 'nets-bs', '2026-03-30T14:00:00.000Z'],
    ['the Monday after clocks went back', '2026-10-26T00:00:00Z', 'nets-bs', '2026-10-23T14:00:00.000Z'],
    ['midnight as it is written in Denmark', '2026-11-23T23:00:00Z', 'nets-bs', '2026-11-23T15:00:00.000Z'],
    ['a Danish holiday before, for a Danish scheme', '2026-06-08', 'nets-ls', '2026-06-04T14:00:00.000Z'],
    ['the same for SEPA', '2026-06-08', 'sepa-core', '2026-06-05T14:00:00.000Z'],
    ['Easter', '2026-04-07', 'nets-bs', '2026-04-01T14:00:00.000Z'],
    ['Easter for SEPA', '2026-04-07', 'sepa-core', '2026-04-02T14:00:00.000Z'],
    ['a scheme that nobody named', '2026-11-24', null, '2026-11-23T15:00:00.000Z'],
  ])('of %s', (_, scheduleDate, scheme, expected) => {
    expect(estimate(scheduleDate, scheme)).toBe(expected)
  })

  it('is none without a schedule date that can be read', () => {
    expect(estimate(null)).toBeNull()
    expect(estimate('soon')).toBeNull()
    expect(estimate('9999-12-31T23:59:59.9999999Z')).toBeNull()
    expect(estimate('2026-11-24', 'other', makeFacts('nets-bs=1@16:00'))).toBeNull()
  })

  it('follows the rule of the scheme', () => {
    const own = makeFacts('nets-bs=8@23:59, SEPA-core=0@09:30/target2 ,*=1@16:00')
    expect(estimate('2026-11-24', 'Nets-BS', own)).toBe('2026-11-12T22:59:00.000Z')
    expect(estimate('2026-11-24', 'sepa-core', own)).toBe('2026-11-24T08:30:00.000Z')
    expect(estimate('2026-11-24', 'other', own)).toBe('2026-11-23T15:00:00.000Z')
  })

  it.each([
    ['*=1@16:00/denmark', 'sepa-core', '2026-06-04T14:00:00.000Z'],
    ['*=1@16:00/target2', 'nets-bs', '2026-06-05T14:00:00.000Z'],
    ['*=1@16:00', 'sepa-core', '2026-06-05T14:00:00.000Z'],
    ['sepa-core=1@16:00/denmark', 'sepa-core', '2026-06-04T14:00:00.000Z'],
  ])('by %s of %s has the calendar that is named, else that of the scheme', (text, scheme, expected) => {
    expect(estimate('2026-06-08', scheme, makeFacts(text))).toBe(expected)
  })

  it.each([
    '',
    '*',
    '*=1',
    '*=1@24:00',
    '*=1@16:60',
    '*=1@16:00/mars',
    '*=1@16:00,*=2@16:00',
    '=1@16:00',
    '*=-1@16:00',
  ])('has no rules in %j', (text) => {
    expect(parseCutOffRules(text)).toBeNull()
  })

  it('is told with its zone, and stands to the present as past, today or later', () => {
    const cutOff = estimateCutOff({ scheduleDate: '2026-11-25', scheme: 'nets-bs' }, facts)
    if (!cutOff) throw new Error('there is one')
    expect(formatCutOff(cutOff, zone, 'en-GB')).toBe('Tue 24 Nov, 16:00 Copenhagen')
    expect(classifyCutOff(cutOff, Date.parse('2026-11-24T15:00:00Z'), zone)).toBe('past')
    expect(classifyCutOff(cutOff, Date.parse('2026-11-24T14:59:59Z'), zone)).toBe('today')
    // In Copenhagen it is already the 24th.
    expect(classifyCutOff(cutOff, Date.parse('2026-11-23T23:00:00Z'), zone)).toBe('today')
    expect(classifyCutOff(cutOff, Date.parse('2026-11-23T22:59:00Z'), zone)).toBe('later')
  })
})

it.each([
  ['2026-11-23', 'nets-bs', ['2026-11-24']],
  ['2026-11-20', 'nets-bs', ['2026-11-23']],
  ['2026-11-21', 'nets-bs', []],
  // Before Easter: the Danish banks rest from Thursday on, those of TARGET2 from Friday on.
  ['2026-04-01', 'nets-bs', ['2026-04-07']],
  ['2026-04-01', 'sepa-core', ['2026-04-02', '2026-04-03', '2026-04-04', '2026-04-05', '2026-04-06']],
  ['2026-04-02', 'sepa-core', ['2026-04-07']],
])('on %s payments of %s close that are scheduled for %j', (today, scheme, expected) => {
  expect(listClosingDates(today, scheme, facts)).toEqual(expected)
})
