import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseAst } from 'vite'
import { languages } from './lib/messages/languages'

type Messages = Record<string, Record<string, string>>

const readMessages = (language: string): Messages => JSON.parse(readFileSync(`messages/${language}.json`, 'utf8'))

/** `namespace_key` of every message; a key that begins with `@` describes another. */
function listNames(messages: Messages): string[] {
  return Object.entries(messages).flatMap(([namespace, entries]) =>
    Object.keys(entries)
      .filter((key) => !key.startsWith('@'))
      .map((key) => `${namespace}_${key}`),
  )
}

const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'app', 'components', 'lib', 'service', 'e2e'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => /\.tsx?$/u.test(path) && existsSync(path))
const sources = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]))

it('are all used', () => {
  const used = new Set([...sources.values()].flatMap((text) => text.match(/\bm\.\w+_\w+/gu) ?? []))
  expect(listNames(readMessages('en')).filter((name) => !used.has(`m.${name}`))).toEqual([])
})

it('are the same in every language, in the same order', () => {
  const names = listNames(readMessages('en'))
  for (const language of languages) expect(listNames(readMessages(language))).toEqual(names)
})

it('keep to the typographic apostrophe, for the other one is syntax', () => {
  for (const language of languages) {
    const texts = Object.values(readMessages(language)).flatMap((entries) => Object.values(entries))
    expect(texts.filter((text) => /\p{L}'\p{L}/u.test(text))).toEqual([])
  }
})

it('keep in Danish to the terms of docs/voice.md and to an ellipsis that stands apart', () => {
  const texts = Object.values(readMessages('da')).flatMap((entries) => Object.values(entries))
  expect(texts.filter((text) => /\bmandat(?!es?\b)|\budfald|\S…/iu.test(text))).toEqual([])
})

type Node = { type: string; [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Attributes whose values people read or hear. */
const READ_ATTRIBUTES = new Set([
  'title',
  'label',
  'placeholder',
  'alt',
  'aria-label',
  'aria-description',
  'hint',
  'about',
])

/** Texts that stand in JSX: between tags, or in an attribute that people read. */
function findTexts(node: unknown, parent: Node | null = null): string[] {
  if (Array.isArray(node)) return node.flatMap((child) => findTexts(child, parent))
  if (!isNode(node)) return []
  const { type, value } = node
  if (type === 'JSXText' && typeof value === 'string' && /\p{L}{2}/u.test(value)) return [value.trim()]
  if (type === 'Literal' && typeof value === 'string' && /\p{L}{2}/u.test(value)) {
    const { name } = (parent?.type === 'JSXAttribute' ? parent.name : {}) as { name?: string }
    return name !== undefined && READ_ATTRIBUTES.has(name) ? [value] : []
  }
  return Object.values(node).flatMap((child) => findTexts(child, node))
}

it('hold every text of the pages: none stands in the code', () => {
  const pages = [...sources].filter(([path]) => path.endsWith('.tsx') && !/\.test\.|\/testing\//u.test(path))
  expect(pages.length).toBeGreaterThan(100)
  const found = pages.flatMap(([path, text]) =>
    findTexts(parseAst(text, { lang: 'tsx' })).map((one) => `${path}: ${one}`),
  )
  expect(found).toEqual([])
})
