import { describe, expect, it } from 'vitest'
import { newConnection } from '@/lib/domain/merchant-connection'
import { importRequest } from './schema'
import { hasInvisibleCharacters } from '@/lib/domain/text/invisible-characters'
import { viewRename } from '../saved-views/schema'

const hidden = [
  ['U+202E, which turns the direction', 'Nordkyst\u{202E}S/A'],
  ['U+2066, an isolate', 'Nordkyst\u{2066}'],
  ['U+200B, of no width', 'Nord\u{200B}kyst'],
  ['U+FEFF, of no width', 'Nordkyst\u{FEFF}A'],
  ['U+00AD, a soft hyphen', 'Nord\u{AD}kyst'],
  ['U+200D, a joiner within Latin letters', 'Nord\u{200D}kyst'],
  ['U+200C at the start', '\u{200C}Nordkyst'],
  ['U+3164, a filler', 'Nordkyst\u{3164}A'],
  ['U+2800, a blank', 'Nordkyst\u{2800}A'],
  ['U+E0041, a tag', 'Nordkyst\u{E0041}'],
  ['a NUL', 'Nordkyst\0A'],
  ['half a character', 'Nordkyst\u{D83D}A'],
] as const

describe('a name that others see', () => {
  it.each(hidden)('is refused with %s', (_, name) => {
    expect(hasInvisibleCharacters(name)).toBe(true)
  })

  it.each([
    'Nordkyst A/S',
    'Ærø & Søn',
    '👩‍👧 Familie',
    '🏳️‍🌈',
    '👩🏽‍🚒',
    'می‌خواهم',
    'क्‍ष',
    '山田',
    'e\u{301}t',
    'name.csv',
  ])('is taken as %s', (name) => expect(hasInvisibleCharacters(name)).toBe(false))

  const name = 'Nordkyst\u{202E}S/A'
  const connection = { baseUrl: 'https://service.example', auth: 'none' }
  it.each([
    ['a merchant', newConnection, { name, ...connection }, ['name']],
    ['a saved view', viewRename, { name }, ['name']],
    ['a file of customers', importRequest, { fileName: name, text: 'x', mapping: { name: 0 } }, ['fileName']],
  ] as const)('is refused of %s by the field, in words', (_, schema, body, path) => {
    const message = 'contains characters that are invisible or change the text direction'
    expect(schema.safeParse(body).error?.issues).toMatchObject([{ path, message }])
  })

  it.each(['a\0b', 'a\uD800b'])('and what else is stored of a merchant is refused with %j', (value) => {
    const refused = { baseUrl: `https://service.example/${value}`, clientId: value, scope: value, cancelled: [value] }
    const read = newConnection.safeParse({ name: 'Nordkyst', ...connection, ...refused })
    expect(read.error?.issues.map(({ path }) => path[0])).toEqual(['baseUrl', 'clientId', 'scope', 'cancelled'])
  })
})
