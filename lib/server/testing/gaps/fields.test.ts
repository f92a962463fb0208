import { expect } from 'vitest'
import { parseTimestamp } from '@/lib/domain/dates/date'
import { type AmountUnit, formatMoney } from '@/lib/domain/amounts/money'
import { gap, gapOf, json, nothing, page, setUpGaps, gapSetup } from './gap'

setUpGaps()

gap(
  'formats of country and number',
  ['GET', '/Customers/x'],
  [
    { told: 'codes', answer: json({ country: 'DK', number: '0042' }), shown: { country: 'DK', number: '0042' } },
    {
      told: 'words and numbers',
      answer: json({ country: 'Danmark', number: 42 }),
      shown: { country: 'Danmark', number: '42' },
    },
    {
      told: 'a number of a country',
      answer: json({ country: 208, number: null }),
      shown: { country: 208, number: null },
    },
  ],
)

async function readPayment(payment: object): Promise<Record<string, unknown>> {
  gapSetup.play(page([payment]))
  const { json: shown } = await gapSetup.ask('GET', '/Payments')
  const { results } = shown as { results: Record<string, unknown>[] }
  return results[0] ?? {}
}

async function showMoney(payment: object, unit: AmountUnit): Promise<string> {
  const { amount, currency } = (await readPayment(payment)) as {
    amount: number | string | null
    currency: string | null
  }
  const { text, note } = formatMoney(amount, currency, unit, 'en-GB')
  return note ? `${text} (${note})` : text
}

gapOf('formats of currency', [
  ['a code of ISO 4217', async () => expect(await showMoney({ amount: 1250, currency: 'JPY' }, 'minor')).toBe('1,250')],
  [
    'a code that is none',
    async () => expect(await showMoney({ amount: 1250, currency: 'dkr' }, 'minor')).toContain('1250 ('),
  ],
  ['a number', async () => expect(await showMoney({ amount: 1250, currency: 208 }, 'minor')).toContain('1250 (')],
])
gapOf('unit and form of amounts', [
  [
    'whole minor units',
    async () => expect(await showMoney({ amount: 124_500, currency: 'DKK' }, 'minor')).toBe('1,245.00'),
  ],
  [
    'digits as text',
    async () => expect(await showMoney({ amount: '124500', currency: 'DKK' }, 'minor')).toBe('1,245.00'),
  ],
  [
    'a decimal as text',
    async () => expect(await showMoney({ amount: '1245.5', currency: 'DKK' }, 'major')).toBe('1,245.50'),
  ],
  [
    'hundredths of everything',
    async () => expect(await showMoney({ amount: 124_500, currency: 'JPY' }, 'hundredths')).toBe('1,245'),
  ],
  [
    'a record, which is kept as told',
    async () =>
      expect(await readPayment({ amount: { value: 1 } })).toMatchObject({
        amount: null,
        'amount (as told)': { value: 1 },
      }),
  ],
])
gap(
  'schemes',
  ['GET', '/Customers/mandates'],
  [
    {
      told: 'a word that is known',
      answer: page([{ scheme: 'nets-bs' }]),
      shown: { results: [{ scheme: 'nets-bs' }] },
    },
    { told: 'another word', answer: page([{ scheme: 'SEPA Core' }]), shown: { results: [{ scheme: 'SEPA Core' }] } },
    { told: 'a number', answer: page([{ scheme: 3 }]), shown: { results: [{ scheme: '3' }] } },
  ],
)
gap(
  'contents of schemeData',
  ['GET', '/Customers/mandates'],
  [
    {
      told: 'pairs',
      answer: page([{ schemeData: [{ key: 'pbs', value: '1' }] }]),
      shown: { results: [{ schemeData: [{ key: 'pbs', value: '1' }] }] },
    },
    { told: 'a record', answer: page([{ schemeData: { pbs: 1 } }]), shown: { results: [{ schemeData: { pbs: 1 } }] } },
    {
      told: 'words',
      answer: page([{ schemeData: 'pbs=1' }, { schemeData: null }]),
      shown: { results: [{ schemeData: 'pbs=1' }, { schemeData: null }] },
    },
  ],
)
gap(
  'states of payments',
  ['GET', '/Payments'],
  [
    {
      told: 'words in any case',
      answer: page([{ status: 'PENDING' }, { status: 'pending' }]),
      shown: { results: [{ status: 'PENDING' }, { status: 'pending' }] },
    },
    {
      told: 'numbers',
      answer: page([{ status: 0 }, { Status: 512 }]),
      shown: { results: [{ status: '0' }, { status: '512' }] },
    },
    {
      told: 'others, or none',
      answer: page([{ status: 'Zork' }, { status: null }]),
      shown: { results: [{ status: 'Zork' }, { status: null }] },
    },
  ],
)
gap(
  'states of mandates and agreements',
  ['GET', '/Customers'],
  [
    {
      told: 'words',
      answer: page([{ mandates: [{ state: 'Paused' }] }]),
      shown: { results: [{ mandates: [{ state: 'Paused' }] }] },
    },
    {
      told: 'numbers',
      answer: page([{ mandates: [{ state: 1 }] }]),
      shown: { results: [{ mandates: [{ state: '1' }] }] },
    },
    {
      told: 'of a mandate',
      ask: ['GET', '/Customers/mandates'],
      answer: page([{ status: 2 }]),
      shown: { results: [{ status: '2' }] },
    },
    {
      told: 'of an agreement',
      ask: ['GET', '/Merchants/agreements/a'],
      answer: json({ status: 'live' }),
      shown: { status: 'live' },
    },
  ],
)

const noon = Date.UTC(2026, 10, 20, 12)
gapOf(
  'form of dates',
  ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00', '2026-11-20 12:00:00.0000000', '2026-11-20T13:00:00+0100'].map(
    (createdAt) => [
      createdAt,
      async () => expect(parseTimestamp((await readPayment({ createdAt })).createdAt)).toBe(noon),
    ],
  ),
)
gapOf('form of ids', [
  [
    'text that is no UUID',
    async () => expect(await readPayment({ id: 'DK-2026-1' })).toMatchObject({ id: 'DK-2026-1' }),
  ],
  ['a number', async () => expect(await readPayment({ id: 7 })).toMatchObject({ id: '7' })],
  [
    'a number that a double would round',
    async () => {
      gapSetup.play({ body: '{"results":[{"id":1234567890123456789}],"hasMore":false}' })
      expect((await gapSetup.ask('GET', '/Payments')).json).toMatchObject({ results: [{ id: '1234567890123456789' }] })
    },
  ],
  [
    'what is deleted by it',
    async () => {
      gapSetup.play(nothing(204))
      expect((await gapSetup.ask('DELETE', '/Customers/7')).status).toBe(200)
      expect(gapSetup.requests()[0]?.path).toBe('/Customers/7')
    },
  ],
])
gap(
  'whether a handle is there',
  ['GET', '/Customers'],
  [
    { told: 'it is', answer: page([{ id: '1', handle: 'ann' }]), shown: { results: [{ handle: 'ann' }] } },
    {
      told: 'it is not',
      answer: page([{ id: '1' }, { id: '2', handle: '' }]),
      shown: { results: [{ handle: null }, { handle: '' }] },
    },
  ],
)
gap(
  'how an IdOrHandle is told apart',
  ['GET', '/Customers/ann'],
  [
    { told: 'a handle', answer: json({ handle: 'ann' }), shown: { handle: 'ann' }, sent: ['GET /Customers/ann'] },
    {
      told: 'an id',
      ask: ['GET', '/Customers/17'],
      answer: json({ id: 17 }),
      shown: { id: '17' },
      sent: ['GET /Customers/17'],
    },
    {
      told: 'signs that a path must encode',
      ask: ['GET', '/Customers/a%20b%40c'],
      answer: json({ handle: 'a b@c' }),
      shown: { handle: 'a b@c' },
      sent: ['GET /Customers/a%20b%40c'],
    },
  ],
)
gap(
  'letter case of property names',
  ['GET', '/Payments'],
  [
    {
      told: 'PascalCase',
      answer: json({ Results: [{ Id: 'p', Customer: { Name: 'Ann' } }], HasMore: true, NextOffset: 7 }),
      shown: { results: [{ id: 'p', customer: { name: 'Ann' } }], continuation: { kind: 'more', after: '7' } },
    },
    {
      told: 'capitals',
      answer: json({ RESULTS: [{ ID: 'p' }], HASMORE: false }),
      shown: { results: [{ id: 'p' }], continuation: { kind: 'end' } },
    },
    {
      told: 'both: that which is documented counts',
      answer: page([{ status: 'Pending', Status: 'x' }]),
      shown: { results: [{ status: 'Pending', Status: 'x' }] },
    },
    {
      told: 'two that could both be meant: neither does',
      answer: page([{ STATUS: 'a', Status: 'b' }]),
      shown: { results: [{ status: null, STATUS: 'a', Status: 'b' }] },
    },
  ],
)
