import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { expect, it, vi } from 'vitest'
import { nameField, splitDetails } from './activity-fields'

type Node = { type: string; [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nameOf = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? String(value.name) : null)

function findAll(node: unknown, type: string): Node[] {
  if (Array.isArray(node)) return node.flatMap((one) => findAll(one, type))
  if (!isNode(node)) return []
  return [...(node.type === type ? [node] : []), ...Object.values(node).flatMap((one) => findAll(one, type))]
}

/**
 * The members that an object literal writes, also by a condition or by a function of its file; not those of a variable
 * or of another file's function.
 */
function listMembers(value: unknown, file: Node): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => listMembers(one, file))
  if (!isNode(value)) return []
  if (value.type === 'Property') return [nameOf(value.key) ?? '', ...listMembers(value.value, file)]
  if (value.type === 'ObjectExpression') return listMembers(value.properties, file)
  if (value.type === 'SpreadElement') return listMembers(value.argument, file)
  if (value.type === 'LogicalExpression') return listMembers(value.right, file)
  if (value.type === 'CallExpression')
    return findAll(file, 'FunctionDeclaration')
      .filter(({ id }) => nameOf(id) === nameOf(value.callee))
      .flatMap(({ body }) => findAll(body, 'ReturnStatement'))
      .flatMap((one) => listMembers(one.argument, file))
  return value.type === 'ConditionalExpression' ? listMembers([value.consequent, value.alternate], file) : []
}

/** The fields of each value that is written as an entry's details. */
function listDetails(file: Node): string[][] {
  const isNamed = (name: unknown) => nameOf(name) === 'details'
  return [
    ...findAll(file, 'Property').flatMap(({ key, value }) => (isNamed(key) ? [value] : [])),
    ...findAll(file, 'VariableDeclarator').flatMap(({ id, init }) => (isNamed(id) ? [init] : [])),
  ].map((value) => listMembers(value, file))
}

const written = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'lib/server', 'app/api'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path.endsWith('.ts') && !/\.test\.|\/testing\//u.test(path) && existsSync(path))
  .map((path) => readFileSync(path, 'utf8'))
  .filter((text) => /(?:activity-log|\.)\/append'/u.test(text))
  .flatMap((text) => listDetails({ ...parseAst(text, { lang: 'ts' }) }))

const makeEntry = (fields: readonly string[]) => ({
  action: 'some.thing',
  objectKind: 'bulk',
  details: Object.fromEntries(fields.map((field) => [field, 'x'])),
})

it('names every field that a file writes as details by itself', () => {
  const fields = [...new Set(written.flat())]
  expect(fields.length).toBeGreaterThan(40)
  const isNamed = (field: string) => {
    const entry = makeEntry([field])
    return Object.keys(splitDetails(entry).plain).length === 0 || nameField(field, entry, null) !== field
  }
  expect(fields.filter((field) => !isNamed(field))).toEqual([])
})

it.each(['en', 'da'])('gives no two fields of one entry the same name: %s', (lang) => {
  vi.stubGlobal('document', { documentElement: { lang } })
  for (const entry of written.map(makeEntry)) {
    const names = Object.keys(splitDetails(entry).plain).map((field) => nameField(field, entry, null))
    expect(names).toEqual([...new Set(names)])
  }
})
