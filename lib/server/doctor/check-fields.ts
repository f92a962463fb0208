import * as z from 'zod'
import { type DocumentedName, documented } from '@/lib/contract/documented'
import { spellFields } from '@/lib/contract/spell-fields'
import * as words from '@/lib/words/doctor-findings'
import { readPlainText } from '../plain-text'
import type { Patient } from './patient'

/** Fields whose values are states: they are told apart from the other fields. */
const states = ['status', 'state']
const mostNames = 30

function describeValue(value: unknown): string {
  if (value === undefined) return words.replies.nothing
  if (value === null) return 'null'
  if (Array.isArray(value)) return words.rowFields.aList
  return typeof value === 'string' ? `"${readPlainText(value.slice(0, 40)) ?? ''}"` : typeof value
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => readPlainText(name) ?? '?')
  const told = shown.join(', ')
  return names.length > mostNames ? words.rowFields.andMore(told, names.length - mostNames) : told
}

type Oddity = { value: unknown; count: number }

/** The values that break their schema, by the field in which they stand, a nested one as `mandate/id`. States are left out. */
function findOdd(rows: readonly Record<string, unknown>[], shape: Record<string, z.ZodType>): Map<string, Oddity> {
  const odd = new Map<string, Oddity>()
  for (const [field, schema] of Object.entries(shape)) {
    for (const row of rows.filter((one) => Object.hasOwn(one, field))) {
      const issues = schema.safeParse(row[field]).error?.issues ?? []
      // The place in a list tells nothing: each of its items has the same fields.
      const places = new Map(
        issues.map(({ path }) => [[field, ...path.filter((part) => typeof part === 'string')].join('/'), path]),
      )
      for (const [name, path] of places) {
        if (states.includes(name.split('/').at(-1) ?? '')) continue
        const { value, count } = odd.get(name) ?? { value: readPath(row[field], path), count: 0 }
        odd.set(name, { value, count: count + 1 })
      }
    }
  }
  return odd
}

function readPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (held, part) => (typeof held === 'object' && held !== null ? Reflect.get(held, part) : undefined),
    value,
  )
}

/** Compares rows with the documented record: fields that are missing, that are more, and of another type. */
export function checkFields(
  patient: Patient,
  area: string,
  name: DocumentedName,
  told: readonly Record<string, unknown>[],
): void {
  const schema = documented[name]
  if (told.length === 0 || !(schema instanceof z.ZodObject)) return
  const shape: Record<string, z.ZodType> = schema.shape
  const fields = Object.keys(shape)
  const rows = told.map((row): Record<string, unknown> => ({ ...spellFields(row, fields) }))
  const respelled = [...new Set(told.flatMap((row) => Object.keys(row)))].filter(
    (field) => !fields.includes(field) && fields.some((known) => known.toLowerCase() === field.toLowerCase()),
  )
  const missing = fields.filter((field) => rows.every((row) => !Object.hasOwn(row, field)))
  const partly = fields.filter((field) => !missing.includes(field) && rows.some((row) => !Object.hasOwn(row, field)))
  const further = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((field) => !fields.includes(field))
  const odd = [...findOdd(rows, shape)].map(([field, { count, value }]) =>
    words.rowFields.isOdd(readPlainText(field) ?? '?', describeValue(value), count, rows.length),
  )
  if (respelled.length > 0) patient.note(area, 'fields', 'note', words.rowFields.inAnotherLetterCase(list(respelled)))
  if (missing.length > 0) patient.note(area, 'fields', 'note', words.rowFields.missing(list(missing)))
  if (partly.length > 0) patient.note(area, 'fields', 'note', words.rowFields.missingInSomeRows(list(partly)))
  if (further.length > 0) patient.note(area, 'fields', 'note', words.rowFields.notDocumented(list(further)))
  if (odd.length > 0)
    patient.note(area, 'fields', 'note', words.rowFields.otherThanDocumented(odd.slice(0, mostNames).join(', ')))
  if (respelled.length + missing.length + partly.length + further.length + odd.length === 0)
    patient.note(area, 'fields', 'ok', words.rowFields.asDocumented(rows.length))
}

/** Counts the states that were met; `known` in lower case are those that the settings give a meaning, if that matters. */
export function checkStates(
  patient: Patient,
  area: string,
  rows: readonly Record<string, unknown>[],
  known?: readonly string[],
): void {
  if (rows.length === 0) return
  const counts = new Map<string, number>()
  for (const { status } of rows) {
    const word = typeof status === 'string' ? (readPlainText(status) ?? '') : describeValue(status ?? null)
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const met = [...counts].map(([word, count]) => words.states.count(word, count)).slice(0, mostNames)
  patient.note(area, 'states', 'ok', words.states.met(met.join(', ')))
  const unknown = [...counts.keys()].filter((word) => known && !known.includes(word.trim().toLowerCase()))
  if (unknown.length === 0) return
  // The embedded service has such a state as well: between waiting and its end a payment is scheduled.
  const isMute = known && [...counts.keys()].every((word) => unknown.includes(word))
  patient.note(area, 'states', isMute ? 'warning' : 'note', words.states.haveNoMeaning(list(unknown)))
}
