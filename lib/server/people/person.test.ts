import { expect, it } from 'vitest'
import { eraseFrom, isAboutPerson, isErasable, makePerson, mentionsPerson, namesPerson, redactText } from './person'

const request = {
  customer: '',
  name: 'Åse Nørgård-Holm',
  number: 'K-88412',
  addressLine1: 'Ny Vej 7',
  addressLine2: '',
}
const person = makePerson('default', { ...request, others: [], ids: [] })

it.each([
  ['Åse Nørgård-Holms konto er lukket', '[erased] konto er lukket'],
  ['ÅSE NØRGÅRD-HOLM’S account', '[erased] account'],
  ['A\u030ase\u00a0 Nørga\u030ard-Holm called', '[erased] called'],
  ['2026_Åse_Nørgård-Holm.csv', '2026_[erased].csv'],
  ['Nørgård-Holm, Åse paid', '[erased] paid'],
  [`/customers?search=a%20${encodeURIComponent('Åse Nørgård-Holm')}&x`, '/customers?search=a%20[erased]&x'],
  [`q=${new URLSearchParams({ q: request.name }).get('q')}&number=k-88412`, 'q=[erased]&number=[erased]'],
  [new URLSearchParams({ search: request.name }).toString(), 'search=[erased]'],
  ['lives at ny vej 7.', 'lives at [erased].'],
])('finds the person in “%s”', (text, left) => {
  expect(redactText(person, text)).toBe(left)
})

it.each([
  'Åse Nørgård-Holmen',
  'MaÅse Nørgård-Holm',
  'Åse Holm',
  'K-884123',
  'Ny Vej 70',
  'Ny Vejle 7',
  'Åse, the cat',
])('leaves others alone: “%s”', (text) => {
  expect(namesPerson(person, text)).toBe(false)
  expect(redactText(person, text)).toBe(text)
})

it('looks for a name that is no well-formed text', () => {
  const broken = makePerson('default', { ...request, others: [], ids: [] }, { ids: [], values: ['Bo \uD800'] })
  expect(namesPerson(broken, 'K-88412')).toBe(true)
})

it('is found by what the store keeps in place of a text that it cannot hold', () => {
  const known = { ids: ['cu\0', 'pa.\uD800'], values: ['Bo\0 Holm'] }
  const odd = makePerson('default', { ...request, others: [], ids: [] }, known)
  expect(odd.ids).toEqual(new Set(['cu\0', 'cu\uFFFD', 'pa.\uD800', 'pa.\uFFFD']))
  expect(redactText(odd, 'Bo\uFFFD Holm called')).toBe('[erased] called')
  expect(mentionsPerson(odd, 'about pa.\uFFFD')).toBe(true)
})

const uuid = 'c7a1f7de-7a8e-4c0a-9c39-0d8f6f0d2b11'
const handled = makePerson('default', {
  ...request,
  customer: uuid,
  others: [],
  ids: ['cu_1', 'a.b', 'kunde-æble-7', 'INV/2024.7'],
})

it.each([
  uuid.toUpperCase(),
  'cu_1,cu_2',
  'about a.b.',
  '/payments/a.b?x',
  'kunde-æble-7.csv',
  `/customers/${encodeURIComponent('kunde-æble-7')}`,
  'INV/2024.7;100',
  `?search=x%20${encodeURIComponent('INV/2024.7')}&y`,
])('finds an id of the person in “%s”', (text) => {
  expect(mentionsPerson(handled, text)).toBe(true)
})

it.each([
  'cu_12',
  'CU_1',
  'cu_1-b',
  'a.bc',
  'xa.b',
  'axb',
  'kunde-æble-70',
  'kunde-æble-7-b',
  'INV/2024.71',
  'INV/2024x7',
  `%2${encodeURIComponent('INV/2024.7')}0`,
])('takes another id for none of the person’s: “%s”', (text) => {
  expect(mentionsPerson(handled, text)).toBe(false)
})

const numbered = makePerson('default', {
  ...request,
  number: '2026',
  others: ['4711', '124500', '124', '2026-11-28-7', '2026-17', '2026-11'],
  ids: [],
})

it.each([
  '2026-11-28T10:00:00.000Z',
  '2026-11-28 10:00:00+01:00',
  'payment=2026-11-01..2026-11-30',
  'from 1 Nov 2026 to 30. nov. 2026, or Nov 30, 2026',
  'on 28.11.2026, 28/11/2026, 11/28/2026 and 2026/11/28',
  'Subscription November 2026, nov. 2026, Nov 2026 and 28-Nov-2026',
  'Abonnement_december_2026.csv',
  '31/12 2026, 31/12-2026 and 31.12. 2026',
  '/activity?search=x%202026-11-28T10%3A00%3A00Z&from=1+Nov+2026',
  '/payments?search=4711%2C00',
  'c7a1f7de-4711-4c0a-9c39-0d8f6f0d2b11',
  'C7A1F7DE-7A8E-4C0A-4711-0D8F6F0D2B11.csv',
  '2026.50 DKK and 124500,00 kr.',
  '1.124.500,00 or 3,124,500.00',
  '12,4711.00',
  'a9f1471100202612450047112026124500',
])('takes no part of a time, an id or an amount for a number: “%s”', (text) => {
  expect(mentionsPerson(numbered, text)).toBe(false)
  expect(redactText(numbered, text)).toBe(text)
})

it.each([
  ['2026', '[erased]'],
  ['no. 2026-11-28-7 is theirs', 'no. [erased] is theirs'],
  ['2026-11-28-4711.csv', '2026-11-28-[erased].csv'],
  ['2026-11-28 4711', '2026-11-28 [erased]'],
  ['4711,124500;2026', '[erased],[erased];[erased]'],
  ['K-4711 owes 4711.50, not 4711.', 'K-[erased] owes 4711.50, not [erased].'],
  ['/customers?search=4711&created=2026-11-01..', '/customers?search=[erased]&created=2026-11-01..'],
  ['/customers?search=x%202026', '/customers?search=x%20[erased]'],
  ['2026-17-03.csv', '[erased]-03.csv'],
  ['2026-11-40.csv', '[erased]-40.csv'],
  ['4711,12,13', '[erased],12,13'],
  ['12,4711,13', '12,[erased],13'],
  ['4711.20.csv', '[erased].20.csv'],
  ['Nov\n2026', 'Nov\n[erased]'],
])('finds a plain number beside times and amounts in “%s”', (text, left) => {
  expect(mentionsPerson(numbered, text)).toBe(true)
  expect(redactText(numbered, text)).toBe(left)
})

it('finds a value that is a day, a UUID or an amount as a whole', () => {
  const odd = makePerson('default', { ...request, number: uuid, others: ['2026-11-28', '17.50'], ids: [] })
  expect(redactText(odd, `${uuid} on 2026-11-28 for 17.50`)).toBe('[erased] on [erased] for [erased]')
})

it('reads hostile text in time that grows with its length', () => {
  const start = performance.now()
  for (const part of ['100,', '4711.00 4711 ']) {
    const text = `2026 ${part.repeat(50_000)}x`
    expect(redactText(numbered, text).slice(0, 9)).toBe('[erased] ')
  }
  expect(performance.now() - start).toBeLessThan(2_000)
})

it.each([
  { amount: 4711 },
  { Amount: '2026' },
  { amount: { value: 4711, currency: 'DKK' } },
  { amountMinor: 4711, totalAmount: [4711] },
  { id: 4711 },
  { ID: '4711' },
])('takes no amount and no other id of a record for a number: %j', (record) => {
  expect(isAboutPerson(numbered, { data: [record] })).toBe(false)
})

it.each([
  { number: 4711 },
  { customers: [4711, 42] },
  { 4711: true },
  { from: 'K-4711' },
  { amount: { value: 1, payer: '4711 Bo' } },
  '4711',
])('finds a plain number in a record: %j', (record) => {
  expect(isAboutPerson(numbered, { data: [record] })).toBe(true)
})

it('finds an id of the person that is a plain number', () => {
  const known = makePerson('default', { ...request, others: [], ids: ['4711'] })
  expect(isAboutPerson(known, { data: { id: 4711 } })).toBe(true)
  expect(isAboutPerson(known, { data: { id: 4712, isTest: null } })).toBe(false)
})

it('leaves sums and ids of a record, and erases what people wrote in it', () => {
  const record = {
    sums: [{ currency: 'DKK', minor: '2026', sum: '4711' }],
    seen: { amount: '124500' },
    difference: { amount: { seen: '2026', now: '4711' } },
    paymentId: 'pay-4711',
    request: { peer: '2a02:4711::2026' },
    answer: { id: '4711' },
  }
  expect(eraseFrom(numbered, false, record)).toEqual(record)
  expect(isErasable(numbered, false, '2026', 'minor')).toBe(false)
  expect(isErasable(numbered, true, '2026', 'minor')).toBe(false)
  expect(isErasable(numbered, false, '2026', 'number')).toBe(true)
  expect(eraseFrom(numbered, false, { words: 'of 4711', filters: { Search: '2026' }, reference: '4711' })).toEqual({
    words: 'of [erased]',
    filters: { Search: '[erased]' },
    reference: '[erased]',
  })
})
