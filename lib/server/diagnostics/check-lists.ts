import * as z from 'zod'
import { documentedRecords, type DocumentedName } from '@/lib/api-contract/documented-records'
import { endpoints } from '@/lib/api-contract/endpoints'
import { formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import { normalizeFieldNames } from '@/lib/api-contract/record-fields'
import { type Capability, type ListId, usedCapabilities } from '@/lib/domain/lists/capabilities'
import { followPages, type NextPage } from '@/lib/domain/lists/list-pages'
import { toPlainText } from '../http/untrusted-text'
import { type Probe, probeCapability, type ProbeRow } from '../upstream/capability-probes'
import { type DiagnosticTarget, explain } from './target'
import * as words from '@/lib/words/doctor-findings'

/** One list as far as it was walked: the rows as they came, and as the desk reads them. */
export type Walked = { raw: Record<string, unknown>[]; rows: Record<string, unknown>[] }

const mostPages = 20
const asked = 100

const ends: Record<string, string> = words.incompleteness

function readRaw(json: unknown): Record<string, unknown>[] {
  const spelled = normalizeFieldNames(json, ['results'])
  const results: unknown = typeof spelled === 'object' && spelled !== null ? Reflect.get(spelled, 'results') : undefined
  return Array.isArray(results) ? results.filter((row) => typeof row === 'object' && row !== null) : []
}

/** What is odd about a walk, each in words. */
function findOddities(walked: Walked, sizes: readonly number[], unreadable: number): string[] {
  const ids = walked.rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  const doubled = ids.length - new Set(ids).size
  const [first = 0] = sizes
  return [
    ...(unreadable > 0 ? [words.paging.entriesThatAreNoRecords(unreadable)] : []),
    ...(doubled > 0 ? [words.paging.idsThatCameMoreThanOnce(doubled)] : []),
    ...(ids.length < walked.rows.length ? [words.paging.rowsWithoutAnId(walked.rows.length - ids.length)] : []),
    ...(first > asked ? [words.paging.aPageHoldsMore(first, asked)] : []),
  ]
}

/** Walks a list to its end, 20 pages at most, and says how that went. Null where not even one page could be read. */
export async function checkPaging(patient: DiagnosticTarget, list: ListId, area: string): Promise<Walked | null> {
  const walked: Walked = { raw: [], rows: [] }
  const sizes: number[] = []
  const follow = followPages()
  let unreadable = 0
  let after: string | undefined
  let end: NextPage | { kind: 'long' } | { kind: 'failed'; why: string } = { kind: 'long' }
  for (let page = 0; page < mostPages; page += 1) {
    try {
      const reply = await patient.read(list, { query: { limit: asked, after } })
      const read = reply.status >= 200 && reply.status < 300 ? endpoints[list].reply.safeParse(reply.json) : undefined
      if (!read?.success) {
        const why = read ? words.paging.isNotTheDocumentedContainer : words.itAnswered(reply.status)
        end = { kind: 'failed', why }
        break
      }
      const { results, continuation } = read.data
      walked.raw.push(...readRaw(reply.json))
      walked.rows.push(...results.map((row) => ({ ...row })))
      unreadable += read.data.unreadable
      sizes.push(results.length)
      end = follow(continuation)
      if (end.kind !== 'more') break
      after = end.after
      if (page === mostPages - 1) end = { kind: 'long' }
    } catch (error) {
      end = { kind: 'failed', why: explain(error) }
      break
    }
  }
  const loaded = words.paging.loaded(walked.rows.length, sizes.length)
  if (end.kind === 'failed') {
    const isFirst = sizes.length === 0
    const detail = isFirst ? words.paging.theFirstPage(end.why) : words.paging.afterItTheNextPage(loaded, end.why)
    patient.note(area, 'paging', 'failure', detail)
    return isFirst ? null : walked
  }
  if (end.kind === 'end') patient.note(area, 'paging', 'ok', words.paging.toTheEnd(loaded))
  else if (end.kind === 'incomplete' && end.reason === 'offset-repeated')
    patient.note(area, 'paging', 'warning', words.paging.goesRound(loaded))
  else if (end.kind === 'incomplete')
    patient.note(area, 'paging', 'warning', words.paging.endsOddly(loaded, ends[end.reason] ?? end.reason))
  else patient.note(area, 'paging', 'note', words.paging.thereIsMore(loaded))
  const [largest = 0] = sizes
  if (sizes.length > 1 && largest < asked)
    patient.note(area, 'page size', 'note', words.paging.aPageHoldsLess(largest, asked))
  for (const oddity of findOddities(walked, sizes, unreadable)) patient.note(area, 'rows', 'warning', oddity)
  return walked
}

/** Fields whose values are states: they are told apart from the other fields. */
const states = ['status', 'state']
const mostNames = 30

function describeValue(value: unknown): string {
  if (value === undefined) return words.replies.nothing
  if (value === null) return 'null'
  if (Array.isArray(value)) return words.rowFields.aList
  return typeof value === 'string' ? `"${toPlainText(value.slice(0, 40)) ?? ''}"` : typeof value
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => toPlainText(name) ?? '?')
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
  patient: DiagnosticTarget,
  area: string,
  name: DocumentedName,
  told: readonly Record<string, unknown>[],
): void {
  const schema = documentedRecords[name]
  if (told.length === 0 || !(schema instanceof z.ZodObject)) return
  const shape: Record<string, z.ZodType> = schema.shape
  const fields = Object.keys(shape)
  const rows = told.map((row): Record<string, unknown> => ({ ...normalizeFieldNames(row, fields) }))
  const respelled = [...new Set(told.flatMap((row) => Object.keys(row)))].filter(
    (field) => !fields.includes(field) && fields.some((known) => known.toLowerCase() === field.toLowerCase()),
  )
  const missing = fields.filter((field) => rows.every((row) => !Object.hasOwn(row, field)))
  const partly = fields.filter((field) => !missing.includes(field) && rows.some((row) => !Object.hasOwn(row, field)))
  const further = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((field) => !fields.includes(field))
  const odd = [...findOdd(rows, shape)].map(([field, { count, value }]) =>
    words.rowFields.isOdd(toPlainText(field) ?? '?', describeValue(value), count, rows.length),
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
  patient: DiagnosticTarget,
  area: string,
  rows: readonly Record<string, unknown>[],
  known?: readonly string[],
): void {
  if (rows.length === 0) return
  const counts = new Map<string, number>()
  for (const { status } of rows) {
    const word = typeof status === 'string' ? (toPlainText(status) ?? '') : describeValue(status ?? null)
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

/** A refusal is an answer too: this filter or order is not understood. */
class Refused extends Error {}

function makeProbe(patient: DiagnosticTarget, list: ListId, sample: readonly ProbeRow[]): Probe {
  return {
    list,
    sample,
    read: async ({ filter, order, after }) => {
      const query = {
        limit: 100,
        filter: filter && formatFilter(filter),
        orderby: order && formatSortOrder([order]),
        after,
      }
      const reply = await patient.read(list, { query })
      const read = reply.status === 200 ? endpoints[list].reply.safeParse(reply.json) : undefined
      if (!read?.success) throw new Refused(String(reply.status))
      const { results, continuation } = read.data
      return {
        rows: results.map((row) => ({ ...row })),
        after: continuation.kind === 'more' ? continuation.after : null,
      }
    },
  }
}

const isCase = (ability: Capability) => ability.startsWith('anycase:')

/** Tries each filter and order that the desk would use, by the same proof as the desk. */
export async function checkCapabilities(
  patient: DiagnosticTarget,
  list: ListId,
  area: string,
  sample: readonly ProbeRow[],
): Promise<void> {
  const probe = makeProbe(patient, list, sample.slice(0, 100))
  const found: Record<'holds' | 'fails' | 'open', string[]> = { holds: [], fails: [], open: [] }
  for (const ability of usedCapabilities[list]) {
    if (isCase(ability) && !found.holds.includes(ability.replace('anycase:', 'contains:'))) continue
    try {
      const holds = await probeCapability(probe, ability, found.holds)
      found[holds === null ? 'open' : holds ? 'holds' : 'fails'].push(ability)
    } catch (error) {
      if (!(error instanceof Refused)) return patient.note(area, 'filter and order', 'warning', explain(error))
      found.fails.push(ability)
    }
  }
  const say = (result: 'ok' | 'note' | 'skipped', names: string[], write: (names: string) => string) => {
    if (names.length > 0) patient.note(area, 'filter and order', result, write(names.join(', ')))
  }
  say('ok', found.holds, words.abilities.proven)
  say('note', found.fails.filter(isCase), words.abilities.tellsCapitalLetters)
  say(
    'note',
    found.fails.filter((ability) => !isCase(ability)),
    words.abilities.notUnderstood,
  )
  say('skipped', found.open, words.abilities.notToBeDecided)
}
