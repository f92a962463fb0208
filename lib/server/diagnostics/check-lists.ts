import * as z from 'zod'
import { documentedRecords, type DocumentedName } from '@/lib/api-contract/documented-records'
import { endpoints } from '@/lib/api-contract/endpoints'
import { formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import { MAX_OFFSET_LENGTH } from '@/lib/api-contract/pagination'
import { normalizeFieldNames } from '@/lib/api-contract/record-fields'
import { type Capability, type ListId, usedCapabilities } from '@/lib/domain/lists/capabilities'
import { followPages, type NextPage } from '@/lib/domain/lists/list-pages'
import { toPlainText } from '../http/untrusted-text'
import { type Probe, probeCapability, type ProbeRow } from '../upstream/capability-probes'
import { type DiagnosticTarget, explain } from './target'
import * as m from '@/lib/messages/m'

/** The loaded part of a list: its rows as received, and as the desk parses them. */
export type LoadedRows = { raw: Record<string, unknown>[]; rows: Record<string, unknown>[] }

const MAX_PAGES = 20
const PAGE_SIZE = 100

const ends: Record<string, () => string> = {
  'no-word': m.doctorFindings_incompletenessNoWord,
  'no-offset': m.doctorFindings_incompletenessNoOffset,
  'offset-too-long': () => m.doctorFindings_incompletenessOffsetTooLong({ characters: MAX_OFFSET_LENGTH }),
  'page-too-long': m.doctorFindings_incompletenessPageTooLong,
}

function parseRawRows(json: unknown): Record<string, unknown>[] {
  const spelled = normalizeFieldNames(json, ['results'])
  const results: unknown = typeof spelled === 'object' && spelled !== null ? Reflect.get(spelled, 'results') : undefined
  return Array.isArray(results) ? results.filter((row) => typeof row === 'object' && row !== null) : []
}

/** Irregularities of a loaded list, as texts. */
function findOddities(loaded: LoadedRows, sizes: readonly number[], unreadable: number): string[] {
  const ids = loaded.rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  const doubled = ids.length - new Set(ids).size
  const [first = 0] = sizes
  return [
    ...(unreadable > 0 ? [m.doctorFindings_pagingEntriesThatAreNoRecords({ count: unreadable })] : []),
    ...(doubled > 0 ? [m.doctorFindings_pagingIdsThatCameMoreThanOnce({ count: doubled })] : []),
    ...(ids.length < loaded.rows.length
      ? [m.doctorFindings_pagingRowsWithoutAnId({ count: loaded.rows.length - ids.length })]
      : []),
    ...(first > PAGE_SIZE ? [m.doctorFindings_pagingAPageHoldsMore({ held: first, asked: PAGE_SIZE })] : []),
  ]
}

/** Loads a list to its end, 20 pages at most, and reports the result. Null when not even the first page is readable. */
export async function checkPaging(target: DiagnosticTarget, list: ListId, area: string): Promise<LoadedRows | null> {
  const walked: LoadedRows = { raw: [], rows: [] }
  const sizes: number[] = []
  const follow = followPages()
  let unreadable = 0
  let after: string | undefined
  let end: NextPage | { kind: 'long' } | { kind: 'failed'; why: string } = { kind: 'long' }
  for (let page = 0; page < MAX_PAGES; page += 1) {
    try {
      const reply = await target.read(list, { query: { limit: PAGE_SIZE, after } })
      const read = reply.status >= 200 && reply.status < 300 ? endpoints[list].reply.safeParse(reply.json) : undefined
      if (!read?.success) {
        const why = read
          ? m.doctorFindings_pagingIsNotTheDocumentedContainer()
          : m.doctorFindings_itAnswered({ status: reply.status })
        end = { kind: 'failed', why }
        break
      }
      const { results, continuation } = read.data
      walked.raw.push(...parseRawRows(reply.json))
      walked.rows.push(...results.map((row) => ({ ...row })))
      unreadable += read.data.unreadable
      sizes.push(results.length)
      end = follow(continuation)
      if (end.kind !== 'more') break
      after = end.after
      if (page === MAX_PAGES - 1) end = { kind: 'long' }
    } catch (error) {
      end = { kind: 'failed', why: explain(error) }
      break
    }
  }
  const loaded = m.doctorFindings_pagingLoaded({ rowCount: walked.rows.length, pageCount: sizes.length })
  if (end.kind === 'failed') {
    const isFirst = sizes.length === 0
    const detail = isFirst
      ? m.doctorFindings_pagingTheFirstPage({ why: end.why })
      : m.doctorFindings_pagingAfterItTheNextPage({ loaded, why: end.why })
    target.addFinding(area, 'paging', 'failure', detail)
    return isFirst ? null : walked
  }
  if (end.kind === 'end') target.addFinding(area, 'paging', 'ok', m.doctorFindings_pagingToTheEnd({ loaded }))
  else if (end.kind === 'incomplete' && end.reason === 'offset-repeated')
    target.addFinding(area, 'paging', 'warning', m.doctorFindings_pagingGoesRound({ loaded }))
  else if (end.kind === 'incomplete')
    target.addFinding(
      area,
      'paging',
      'warning',
      m.doctorFindings_pagingEndsOddly({ loaded, why: ends[end.reason]?.() ?? end.reason }),
    )
  else target.addFinding(area, 'paging', 'note', m.doctorFindings_pagingThereIsMore({ loaded }))
  const [largest = 0] = sizes
  if (sizes.length > 1 && largest < PAGE_SIZE)
    target.addFinding(
      area,
      'page size',
      'note',
      m.doctorFindings_pagingAPageHoldsLess({ held: largest, asked: PAGE_SIZE }),
    )
  for (const oddity of findOddities(walked, sizes, unreadable)) target.addFinding(area, 'rows', 'warning', oddity)
  return walked
}

/** Status fields, which are checked separately. */
const statusFields = ['status', 'state']
const MAX_NAMES = 30

function describeValue(value: unknown): string {
  if (value === undefined) return m.doctorFindings_repliesNothing()
  if (value === null) return 'null'
  if (Array.isArray(value)) return m.doctorFindings_rowFieldsAList()
  return typeof value === 'string' ? `"${toPlainText(value.slice(0, 40)) ?? ''}"` : typeof value
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => toPlainText(name) ?? '?')
  const joined = shown.join(', ')
  return names.length > MAX_NAMES
    ? m.doctorFindings_rowFieldsAndMore({ names: joined, more: names.length - MAX_NAMES })
    : joined
}

type Oddity = { value: unknown; count: number }

/** Values that violate their schema, by field, nested ones as `mandate/id`. Status fields are left out. */
function findMismatches(
  rows: readonly Record<string, unknown>[],
  shape: Record<string, z.ZodType>,
): Map<string, Oddity> {
  const mismatches = new Map<string, Oddity>()
  for (const [field, schema] of Object.entries(shape)) {
    for (const row of rows.filter((one) => Object.hasOwn(one, field))) {
      const issues = schema.safeParse(row[field]).error?.issues ?? []
      // List positions are dropped: all items have the same fields.
      const places = new Map(
        issues.map(({ path }) => [[field, ...path.filter((part) => typeof part === 'string')].join('/'), path]),
      )
      for (const [name, path] of places) {
        if (statusFields.includes(name.split('/').at(-1) ?? '')) continue
        const { value, count } = mismatches.get(name) ?? { value: readPath(row[field], path), count: 0 }
        mismatches.set(name, { value, count: count + 1 })
      }
    }
  }
  return mismatches
}

function readPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (parent, part) => (typeof parent === 'object' && parent !== null ? Reflect.get(parent, part) : undefined),
    value,
  )
}

/** Compares rows with the documented record: missing, additional and differently typed fields. */
export function checkFields(
  target: DiagnosticTarget,
  area: string,
  name: DocumentedName,
  received: readonly Record<string, unknown>[],
): void {
  const schema = documentedRecords[name]
  if (received.length === 0 || !(schema instanceof z.ZodObject)) return
  const shape: Record<string, z.ZodType> = schema.shape
  const fields = Object.keys(shape)
  const rows = received.map((row): Record<string, unknown> => ({ ...normalizeFieldNames(row, fields) }))
  const respelled = [...new Set(received.flatMap((row) => Object.keys(row)))].filter(
    (field) => !fields.includes(field) && fields.some((known) => known.toLowerCase() === field.toLowerCase()),
  )
  const missing = fields.filter((field) => rows.every((row) => !Object.hasOwn(row, field)))
  const partly = fields.filter((field) => !missing.includes(field) && rows.some((row) => !Object.hasOwn(row, field)))
  const further = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((field) => !fields.includes(field))
  const odd = [...findMismatches(rows, shape)].map(([field, { count, value }]) =>
    m.doctorFindings_rowFieldsIsOdd({
      field: toPlainText(field) ?? '?',
      value: describeValue(value),
      wrong: count,
      all: rows.length,
    }),
  )
  if (respelled.length > 0)
    target.addFinding(
      area,
      'fields',
      'note',
      m.doctorFindings_rowFieldsInAnotherLetterCase({ names: joinNames(respelled) }),
    )
  if (missing.length > 0)
    target.addFinding(area, 'fields', 'note', m.doctorFindings_rowFieldsMissing({ names: joinNames(missing) }))
  if (partly.length > 0)
    target.addFinding(area, 'fields', 'note', m.doctorFindings_rowFieldsMissingInSomeRows({ names: joinNames(partly) }))
  if (further.length > 0)
    target.addFinding(area, 'fields', 'note', m.doctorFindings_rowFieldsNotDocumented({ names: joinNames(further) }))
  if (odd.length > 0)
    target.addFinding(
      area,
      'fields',
      'note',
      m.doctorFindings_rowFieldsOtherThanDocumented({ oddities: odd.slice(0, MAX_NAMES).join(', ') }),
    )
  if (respelled.length + missing.length + partly.length + further.length + odd.length === 0)
    target.addFinding(area, 'fields', 'ok', m.doctorFindings_rowFieldsAsDocumented({ count: rows.length }))
}

/** Counts the states that occur; `known`, in lower case, are those the settings give a meaning, if that matters. */
export function checkStates(
  target: DiagnosticTarget,
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
  const met = [...counts]
    .map(([word, count]) => m.doctorFindings_statesCount({ state: word || m.doctorFindings_emptyState(), count }))
    .slice(0, MAX_NAMES)
  target.addFinding(area, 'states', 'ok', m.doctorFindings_statesMet({ counts: met.join(', ') }))
  const unknown = [...counts.keys()].filter((word) => known && !known.includes(word.trim().toLowerCase()))
  if (unknown.length === 0) return
  // The embedded service has such a state too: a payment is scheduled before it is collected.
  const areAllUnknown = known && [...counts.keys()].every((word) => unknown.includes(word))
  target.addFinding(
    area,
    'states',
    areAllUnknown ? 'warning' : 'note',
    m.doctorFindings_statesHaveNoMeaning({ names: joinNames(unknown) }),
  )
}

/** A refused query: the filter or order is not supported. */
class QueryRefused extends Error {}

function makeProbe(target: DiagnosticTarget, list: ListId, sample: readonly ProbeRow[]): Probe {
  return {
    list,
    sample,
    read: async ({ filter, order, after }) => {
      const query = {
        limit: 100,
        filter: filter && formatFilter(filter),
        orderby: order && formatSortOrder(order),
        after,
      }
      const reply = await target.read(list, { query })
      const read = reply.status === 200 ? endpoints[list].reply.safeParse(reply.json) : undefined
      if (!read?.success) throw new QueryRefused(String(reply.status))
      const { results, continuation } = read.data
      return {
        rows: results.map((row) => ({ ...row })),
        after: continuation.kind === 'more' ? continuation.after : null,
      }
    },
  }
}

const isCase = (ability: Capability) => ability.startsWith('anycase:')

/** Probes each filter and order the desk would use, in the same way as the desk. */
export async function checkCapabilities(
  target: DiagnosticTarget,
  list: ListId,
  area: string,
  sample: readonly ProbeRow[],
): Promise<void> {
  const probe = makeProbe(target, list, sample.slice(0, 100))
  const found: Record<'holds' | 'fails' | 'open', string[]> = { holds: [], fails: [], open: [] }
  for (const ability of usedCapabilities[list]) {
    if (isCase(ability) && !found.holds.includes(ability.replace('anycase:', 'contains:'))) continue
    try {
      const holds = await probeCapability(probe, ability, found.holds)
      found[holds === null ? 'open' : holds ? 'holds' : 'fails'].push(ability)
    } catch (error) {
      if (!(error instanceof QueryRefused))
        return target.addFinding(area, 'filter and order', 'warning', explain(error))
      found.fails.push(ability)
    }
  }
  const report = (result: 'ok' | 'note' | 'skipped', names: string[], write: (values: { names: string }) => string) => {
    if (names.length > 0) target.addFinding(area, 'filter and order', result, write({ names: names.join(', ') }))
  }
  report('ok', found.holds, m.doctorFindings_abilitiesProven)
  report('note', found.fails.filter(isCase), m.doctorFindings_abilitiesTellsCapitalLetters)
  report(
    'note',
    found.fails.filter((ability) => !isCase(ability)),
    m.doctorFindings_abilitiesNotUnderstood,
  )
  report('skipped', found.open, m.doctorFindings_abilitiesNotToBeDecided)
}
