import { expect, it } from 'vitest'
import { makePerson, namesPerson, redactText } from './person'

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
