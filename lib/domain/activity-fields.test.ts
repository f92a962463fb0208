import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { nameField, splitDetails } from './activity-fields'

type Node = { type: string; [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nameOf = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? String(value.name) : null)

/** The members that an object literal writes, also by a condition; not those of a variable that is spread into it. */
function listMembers(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listMembers)
  if (!isNode(value)) return []
  if (value.type === 'Property') return [nameOf(value.key) ?? '', ...listMembers(value.value)]
  if (value.type === 'ObjectExpression') return listMembers(value.properties)
  if (value.type === 'SpreadElement') return listMembers(value.argument)
  if (value.type === 'LogicalExpression') return listMembers(value.right)
  return value.type === 'ConditionalExpression' ? listMembers([value.consequent, value.alternate]) : []
}

/** The fields of all literals that are written as an entry's details. */
function listFields(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(listFields)
  if (!isNode(node)) return []
  const isDetails =
    (node.type === 'Property' && nameOf(node.key) === 'details' && listMembers(node.value)) ||
    (node.type === 'VariableDeclarator' && nameOf(node.id) === 'details' && listMembers(node.init))
  return [...(isDetails || []), ...Object.values(node).flatMap(listFields)]
}

it('names every field that is written', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'lib/server', 'app/api'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path.endsWith('.ts') && !/\.test\.|\/testing\//u.test(path) && existsSync(path))
    .map((path) => readFileSync(path, 'utf8'))
    .filter((text) => text.includes('activity-log/append'))
  const fields = [...new Set(files.flatMap((text) => listFields(parseAst(text, { lang: 'ts' }))))]
  expect(fields.length).toBeGreaterThan(40)
  const isNamed = (field: string) => {
    const entry = { action: 'some.thing', objectKind: 'bulk', details: { [field]: 'x' } }
    return Object.keys(splitDetails(entry).plain).length === 0 || nameField(field, entry, null) !== field
  }
  expect(fields.filter((field) => !isNamed(field))).toEqual([])
})
