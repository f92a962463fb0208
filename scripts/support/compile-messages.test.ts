import { describe, expect, it } from 'vitest'
import { compileMessages, MessageError, parseMessages } from './compile-messages.mjs'

/** The message files of two languages with one message each. */
const filesOf = (en: string, da?: string) =>
  new Map([
    ['en', JSON.stringify({ list: { title: en } })],
    ['da', JSON.stringify({ list: da === undefined ? {} : { title: da } })],
  ])

const compileOne = (en: string, da = en) => compileMessages(filesOf(en, da)).get('modules/list_title.ts')

describe('a compiled message', () => {
  it('is a function that chooses by the language', () => {
    const text = compileOne('Payments', 'Betalinger')
    expect(text).toContain(`export const list_title = (): string => getLanguage() === 'da' ? "Betalinger" : "Payments"`)
    expect(text).toContain(`import { getLanguage } from '../../language/runtime'`)
  })

  it('asks for no language where all have the same text', () => {
    expect(compileOne('Id')).toMatch(/export const list_title = \(\): string => "Id"\n$/u)
  })

  it('names its values with their types', () => {
    expect(compileOne('{count, plural, one {# row} other {# rows}} of {name}')).toContain(
      '(values: { count: number; name: string | number }): string =>',
    )
    expect(compileOne('{kind, select, a {one} other {another}}')).toContain(`kind: 'a' | (string & {})`)
  })

  it('stands in one module for the server and in one of its own for browsers', () => {
    const compiled = compileMessages(filesOf('Payments', 'Betalinger'))
    expect([...compiled.keys()]).toEqual(['languages.ts', 'm.ts', 'modules/m.ts', 'modules/list_title.ts'])
    expect(compiled.get('modules/m.ts')).toContain(`export { list_title } from './list_title'`)
    expect(compiled.get('languages.ts')).toContain(`['da', 'en'] as const`)
  })
})

describe('a fault of the message files', () => {
  it.each([
    ['a missing message', filesOf('Payments'), 'da: list_title is missing'],
    ['a value that the other language lacks', filesOf('{a} of {b}', '{a}'), 'da: list_title lacks {b}'],
    [
      'a value that the other language has not',
      filesOf('{a}', '{a} {b}'),
      'da: list_title has {b}, which en.json has not',
    ],
    ['a missing plural branch', filesOf('{n, plural, other {#}}'), 'en: list_title has no branch one for {n}'],
    ['a message that cannot be read', filesOf('{a'), 'en: list_title cannot be read'],
  ])('is named: %s', (_, files, fault) => {
    expect(() => parseMessages(files)).toThrow(MessageError)
    expect(() => parseMessages(files)).toThrow(fault)
  })
})
