import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { readMessage, root } from './command.mjs'

/** @typedef {import('@formatjs/icu-messageformat-parser').MessageFormatElement} Node */
/** @typedef {'number' | 'text' | string[]} Kind of a value: a number, inserted as it is, or the cases of a select */

/**
 * The branches of a plural or select; none of other nodes.
 * @param {Node} node
 */
const branchesOf = (node) => (node.type === TYPE.plural || node.type === TYPE.select ? node.options : {})

/** The language that has every message; the others are compared with it. */
const SOURCE = 'en'

/** Thrown with one line per fault of the message files. */
export class MessageError extends Error {}

/**
 * The messages of a file by their flat name, `namespace_key`; keys that begin with `@` describe others.
 * @param {Record<string, Record<string, string>>} messages
 * @returns {Map<string, string>}
 */
export function flatten(messages) {
  const flat = new Map()
  for (const [namespace, entries] of Object.entries(messages)) {
    for (const [key, text] of Object.entries(entries)) if (!key.startsWith('@')) flat.set(`${namespace}_${key}`, text)
  }
  return flat
}

/**
 * The values that a parsed message needs.
 * @param {readonly Node[]} nodes
 * @param {Map<string, Kind>} [values]
 */
export function collectValues(nodes, values = new Map()) {
  for (const node of nodes) {
    if (node.type === TYPE.argument) {
      if (!values.has(node.value)) values.set(node.value, 'text')
    } else if (node.type === TYPE.number || node.type === TYPE.plural) {
      values.set(node.value, 'number')
    } else if (node.type === TYPE.select) {
      const names = Object.keys(node.options).filter((name) => name !== 'other')
      const known = values.get(node.value)
      values.set(node.value, [...new Set([...(Array.isArray(known) ? known : []), ...names])])
    }
    for (const option of Object.values(branchesOf(node))) collectValues(option.value, values)
  }
  return values
}

/**
 * The plural categories that a language tells apart, by CLDR.
 * @param {string} language
 * @returns {string[]}
 */
const pluralCategories = (language) => new Intl.PluralRules(language).resolvedOptions().pluralCategories

/**
 * What is wrong with the branches of a parsed message in its language.
 * @param {readonly Node[]} nodes
 * @param {string} language
 * @returns {string[]}
 */
export function findBranchFaults(nodes, language) {
  return nodes.flatMap((node) => {
    if (node.type !== TYPE.plural && node.type !== TYPE.select) return []
    const given = Object.keys(node.options)
    const needed = node.type === TYPE.plural ? pluralCategories(language) : ['other']
    if (node.type === TYPE.plural && (node.pluralType === 'ordinal' || node.offset))
      return ['uses selectordinal or an offset, which is not compiled']
    return [
      ...needed.filter((name) => !given.includes(name)).map((name) => `has no branch ${name} for {${node.value}}`),
      ...Object.values(node.options).flatMap(({ value }) => findBranchFaults(value, language)),
    ]
  })
}

/** @param {string} name */
const property = (name) => `values.${name}`

/**
 * The expression of a parsed message. `plural` is the value that `#` stands for.
 * @param {readonly Node[]} nodes
 * @param {string} language
 * @param {string} [plural]
 * @returns {string}
 */
function compileNodes(nodes, language, plural = '') {
  const parts = nodes.map((node) => {
    switch (node.type) {
      case TYPE.literal:
        return JSON.stringify(node.value)
      case TYPE.argument:
        return property(node.value)
      case TYPE.number:
        return `formatNumber(${property(node.value)}, '${language}')`
      case TYPE.pound:
        return `formatNumber(${property(plural)}, '${language}')`
      case TYPE.plural: {
        const exact = Object.entries(node.options).filter(([name]) => name.startsWith('='))
        const others = Object.entries(node.options).filter(([name]) => !name.startsWith('='))
        const pick = `pickPlural(${property(node.value)}, '${language}')`
        const cases = [
          ...exact.map(([name, { value }]) => [
            `${property(node.value)} === ${name.slice(1)}`,
            compileNodes(value, language, node.value),
          ]),
          ...others
            .filter(([name]) => name !== 'other')
            .map(([name, { value }]) => [`${pick} === '${name}'`, compileNodes(value, language, node.value)]),
        ]
        const other = compileNodes(node.options.other?.value ?? [], language, node.value)
        return `(${cases.map(([test, text]) => `${test} ? ${text} : `).join('')}${other})`
      }
      case TYPE.select: {
        const cases = Object.entries(node.options).filter(([name]) => name !== 'other')
        const other = compileNodes(node.options.other?.value ?? [], language, plural)
        return `(${cases.map(([name, { value }]) => `${property(node.value)} === '${name}' ? ${compileNodes(value, language, plural)} : `).join('')}${other})`
      }
      default:
        throw new MessageError(`uses a format that is not compiled: ${node.value}`)
    }
  })
  const [first] = nodes
  if (!first) return '""'
  // A string first, so that numbers are joined as text.
  return (parts.length === 1 && first.type !== TYPE.argument) || first.type === TYPE.literal
    ? parts.join(' + ')
    : `"" + ${parts.join(' + ')}`
}

/** @param {Kind} value */
function typeOf(value) {
  if (value === 'number') return 'number'
  if (value === 'text') return 'string | number'
  return [...value.map((name) => `'${name}'`), '(string & {})'].join(' | ')
}

/**
 * The function of one message: its texts by language, the source language last.
 * @param {string} name
 * @param {Map<string, Node[]>} parsed
 */
function compileMessage(name, parsed) {
  const original = parsed.get(SOURCE) ?? []
  const values = collectValues(original)
  const type = [...values].map(([value, kind]) => `${value}: ${typeOf(kind)}`).join('; ')
  const source = compileNodes(original, SOURCE)
  const others = [...parsed]
    .filter(([language]) => language !== SOURCE)
    .map(([language, nodes]) => ({ language, text: compileNodes(nodes, language) }))
    .filter(({ text }) => text !== source)
  const body = [...others.map(({ language, text }) => `getLanguage() === '${language}' ? ${text} : `), source].join('')
  return `export const ${name} = (${type ? `values: { ${type} }` : ''}): string => ${body}\n`
}

/** @param {string} folder */
function readFiles(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return new Map(names.map((name) => [basename(name, '.json'), readFileSync(`${folder}/${name}`, 'utf8')]))
}

/**
 * Parses message files, by language. Throws a MessageError that names every missing, unknown or malformed message, every
 * value that differs from the source language's, and every missing branch.
 * @param {ReadonlyMap<string, string>} files
 */
export function parseMessages(files) {
  /** @type {string[]} */
  const faults = []
  const texts = new Map([...files].map(([language, json]) => [language, flatten(JSON.parse(json))]))
  const source = texts.get(SOURCE) ?? new Map()
  /** @type {Map<string, Map<string, Node[]>>} */
  const parsed = new Map([...source.keys()].map((name) => [name, new Map()]))
  for (const [language, messages] of texts) {
    for (const name of source.keys()) if (!messages.has(name)) faults.push(`${language}: ${name} is missing`)
    for (const [name, text] of messages) {
      /** @param {string} what */
      const fault = (what) => faults.push(`${language}: ${name} ${what}`)
      if (!source.has(name)) {
        fault(`is not in ${SOURCE}.json`)
        continue
      }
      try {
        const nodes = parse(text, { ignoreTag: true })
        for (const what of findBranchFaults(nodes, language)) fault(what)
        const [own, needed] = [collectValues(nodes), collectValues(parse(source.get(name), { ignoreTag: true }))]
        for (const value of own.keys()) if (!needed.has(value)) fault(`has {${value}}, which ${SOURCE}.json has not`)
        for (const value of needed.keys()) if (!own.has(value)) fault(`lacks {${value}}`)
        parsed.get(name)?.set(language, nodes)
      } catch (error) {
        fault(`cannot be read: ${readMessage(error)}`)
      }
    }
  }
  if (faults.length > 0) throw new MessageError(faults.join('\n'))
  return parsed
}

/** A language that nobody speaks, for the tests (`PSEUDO_LOCALE=1`): English with accents, and 40 % longer. */
const PSEUDO = 'eo'

const accents = new Map(
  Object.entries({
    a: 'á',
    e: 'é',
    i: 'í',
    o: 'ó',
    u: 'ú',
    y: 'ý',
    c: 'ç',
    n: 'ñ',
    A: 'Á',
    E: 'É',
    I: 'Í',
    O: 'Ó',
    U: 'Ú',
  }),
)

/** @param {string} text */
function accent(text) {
  const accented = Array.from(text, (letter) => accents.get(letter) ?? letter).join('')
  const letters = text.replaceAll(/\P{L}/gu, '').length
  if (letters < 2) return accented
  // In words of at most eight marks, so that lines break as they would in a real language.
  const marks = '~'.repeat(Math.ceil(letters * 0.4)).replaceAll(/~{8}(?=~)/gu, '~~~~~~~~ ')
  return accented.replace(/\p{L}(?!.*\p{L})/su, (last) => `${last}${marks}`)
}

/**
 * @param {readonly Node[]} nodes
 * @returns {Node[]}
 */
function pseudoTranslate(nodes) {
  return nodes.map((node) => {
    if (node.type === TYPE.literal) return { ...node, value: accent(node.value) }
    if (node.type !== TYPE.plural && node.type !== TYPE.select) return node
    const options = Object.entries(node.options).map(([name, option]) => [
      name,
      { ...option, value: pseudoTranslate(option.value) },
    ])
    return { ...node, options: Object.fromEntries(options) }
  })
}

const HEAD = '// Compiled from messages/*.json by scripts/support/compile-messages.mjs.\n'

/**
 * The compiled files by their path in lib/messages: all messages as one module, and each as its own.
 * @param {ReadonlyMap<string, string>} files
 */
export function compileMessages(files, { isPseudo = false } = {}) {
  const parsed = parseMessages(files)
  if (isPseudo) for (const nodes of parsed.values()) nodes.set(PSEUDO, pseudoTranslate(nodes.get(SOURCE) ?? []))
  const compiled = [...parsed].map(([name, nodes]) => ({ name, text: compileMessage(name, nodes) }))
  /**
   * @param {string} text
   * @param {string} path of the module
   */
  const importsFor = (text, path) => {
    const names = ['getLanguage', 'formatNumber', 'pickPlural'].filter((name) => text.includes(`${name}(`))
    return names.length === 0 ? '' : `import { ${names.join(', ')} } from '${path}'\n`
  }
  const all = compiled.map(({ text }) => text).join('')
  const languages = [...files.keys(), ...(isPseudo ? [PSEUDO] : [])].toSorted((one, other) => one.localeCompare(other))
  /** @type {[string, string][]} */
  const modules = compiled.map(({ name, text }) => [
    `modules/${name}.ts`,
    `${HEAD}${importsFor(text, '../../language/runtime')}${text}`,
  ])
  return new Map([
    ['languages.ts', `${HEAD}export const languages = [${languages.map((name) => `'${name}'`).join(', ')}] as const\n`],
    ['m.ts', `${HEAD}${importsFor(all, '../language/runtime')}${all}`],
    ['modules/m.ts', `${HEAD}${compiled.map(({ name }) => `export { ${name} } from './${name}'\n`).join('')}`],
    ...modules,
  ])
}

/**
 * Compiles messages/*.json into lib/messages, unless that is up to date. Written aside and renamed, because several
 * commands may do so at once.
 */
export function ensureMessages(folder = root) {
  const files = readFiles(`${folder}/messages`)
  const isPseudo = process.env.PSEUDO_LOCALE === '1'
  const compiler = readFileSync(new URL(import.meta.url), 'utf8')
  const hash = createHash('sha256').update(compiler).update(String(isPseudo))
  for (const [language, json] of files) hash.update(`\0${language}\0${json}`)
  const stamp = hash.digest('hex')
  const target = `${folder}/lib/messages`
  if (existsSync(`${target}/stamp`) && readFileSync(`${target}/stamp`, 'utf8') === stamp) return
  const compiled = compileMessages(files, { isPseudo })
  // Beside the sources, not among them: an ignored folder of the same file system.
  const aside = `${folder}/.build/messages.${process.pid}`
  const [draft, old] = [`${aside}.new`, `${aside}.old`]
  mkdirSync(`${draft}/modules`, { recursive: true })
  for (const [path, text] of compiled) writeFileSync(`${draft}/${path}`, text)
  writeFileSync(`${draft}/stamp`, stamp)
  const isCurrent = () => existsSync(`${target}/stamp`) && readFileSync(`${target}/stamp`, 'utf8') === stamp
  try {
    if (existsSync(target)) renameSync(target, old)
    renameSync(draft, target)
  } catch (error) {
    // Another command was faster: it has either moved the old messages away, or put the new ones in place.
    if (!isCurrent()) renameOrThrow(draft, target, isCurrent, error)
  }
  for (const path of [draft, old]) rmSync(path, { recursive: true, force: true })
}

/**
 * Tries once more to put the draft in place; throws the first error where neither this nor another command did.
 * @param {string} draft
 * @param {string} target
 * @param {() => boolean} isCurrent
 * @param {unknown} error
 */
function renameOrThrow(draft, target, isCurrent, error) {
  try {
    renameSync(draft, target)
  } catch {
    if (!isCurrent()) throw error
  }
}
