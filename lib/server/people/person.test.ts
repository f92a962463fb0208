import { expect, it } from 'vitest'
import { makePerson, mentionsPerson, namesPerson, redactText } from './person'

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
