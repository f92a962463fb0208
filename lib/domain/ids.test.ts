import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idKey, isSameId, isUuid, pickById, shortenId } from './ids'

const letterCases = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((capitals) =>
      text.replaceAll(/[a-z]/gu, (letter, at: number) => (capitals[at] ? letter.toUpperCase() : letter)),
    )

const base62 = fc.stringMatching(/^[0-9A-Za-z]{1,40}$/u)
/** Nearly UUIDs: a dash, a digit or a line too many or too few, or a letter that only folds into one of theirs. */
const nearly = fc
  .tuple(fc.uuid(), fc.constantFrom('\n', ' ', '-', '0', 'g', '', '\u212A', '{'), fc.nat(36), fc.boolean())
  .map(([id, part, at, drops]) => `${id.slice(0, at)}${part}${id.slice(drops || part === '' ? at + 1 : at)}`)
  .filter((text) => !isUuid(text))

test('an id that is no UUID is never folded', () => {
  fc.assert(
    fc.property(fc.oneof(base62, fc.string(), nearly, fc.string({ unit: 'binary' })), (id) => {
      fc.pre(!isUuid(id))
      expect(idKey(id)).toBe(id)
    }),
  )
})

test('of ids that are no UUIDs only those that are equal are the same', () => {
  fc.assert(
    fc.property(
      fc.oneof(base62, nearly).chain((id) => fc.tuple(letterCases(id.toLowerCase()), letterCases(id.toLowerCase()))),
      ([one, other]) => {
        expect(isSameId(one, other)).toBe(one === other)
      },
    ),
  )
})

test('a UUID is the same in any case, and never the same as another', () => {
  fc.assert(
    fc.property(
      fc.uuid().chain((id) => fc.tuple(fc.constant(id), letterCases(id), fc.uuid())),
      ([id, spelled, other]) => {
        expect(isSameId(spelled, id)).toBe(true)
        expect(idKey(spelled)).toBe(id.toLowerCase())
        expect(isSameId(other, id)).toBe(other === id)
      },
    ),
  )
  expect(isSameId(null, 'null')).toBe(false)
})

test('of several entries the one that is spelled so wins, and a UUID in other case counts only without it', () => {
  const id = '0b0a7c8d-aaaa-4bbb-8ccc-00000000000f'
  const [exact, capitals, mixed] = [{ id }, { id: id.toUpperCase() }, { id: id.replace('a', 'A') }]
  expect(pickById([capitals, exact, { id: null }], id)).toEqual([exact])
  expect(pickById([capitals, mixed], id)).toEqual([capitals, mixed])
  expect(pickById([{ id: 'aBcDaQ0z' }], 'AbCdAq0Z')).toEqual([])
})

test('a line tells apart what was made at the same time', () => {
  expect(shortenId('3f2a8c1e-5a0b-4c57-9a55-0f3c1a2b3c4d')).toBe('3f2a8c1e…')
  expect(shortenId('019ad0c2-77f1-7c57-9a55-0f3c1a2b3c4d')).toBe('…1a2b3c4d')
  expect(shortenId('019ad0c2-77f1-7c57-9a55-0f3c1a2b3c4e')).toBe('…1a2b3c4e')
  expect(shortenId('pay_71')).toBe('pay_71')
})
