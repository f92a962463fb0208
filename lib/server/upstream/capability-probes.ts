import { type FieldKind, type Filter, filterFields, type SortOrder } from '@/lib/api-contract/filter'
import { type Capability, type CapabilityProofs, type ListId, usedCapabilities } from '@/lib/domain/lists/capabilities'
import { getField, matchesFilter, sortKey } from '@/lib/domain/lists/row-matching'
import { spellState } from '@/lib/domain/states'
import { findInnerPart, findWord } from './inner-part'

export type ProbeRow = Record<string, unknown>

export type ProbeQuery = { filter?: Filter; order?: readonly SortOrder[]; after?: string }
/** `after` continues the page; null on the last one. */
export type ProbePage = { rows: ProbeRow[]; after: string | null }

/** The input of a probe: rows of the plain list, and a function that reads one page. */
export type Probe = {
  list: ListId
  sample: readonly ProbeRow[]
  read: (query: ProbeQuery) => Promise<ProbePage>
}

/**
 * Nothing is proven on shorter lists, where a reply may be right by chance. Such a list is loaded as a whole, and the
 * desk filters and sorts it just as well.
 */
const MIN_ROWS = 20
const MAX_SAMPLE_PAGES = 4

/** Rows of the plain list, from several pages where pages are small. */
export async function readSample(read: Probe['read']): Promise<ProbeRow[]> {
  let { rows, after } = await read({})
  for (let page = 1; page < MAX_SAMPLE_PAGES && rows.length < MIN_ROWS && after !== null; page += 1) {
    const next = await read({ after })
    rows = [...rows, ...next.rows]
    after = next.after
  }
  return rows
}

/** A filter that matches fewer rows is tried on a second row. */
const MIN_MATCHES = 5
/** Values with at least this many permutations are hardly sorted by chance. */
const MIN_ARRANGEMENTS = 10_000

/** A filter matching a row's own value, and the same filter with a value the row doesn't have. */
type Example = { own: Filter; other: Filter }

const invented = {
  text: 'zqxj-nowhere',
  keyword: 'zqxj-nowhere',
  uuid: '00000000-0000-4000-8000-000000000000',
} as const

function kindOf(list: ListId, field: string): FieldKind {
  const kinds: Record<string, FieldKind> = filterFields[list]
  return kinds[field] ?? 'text'
}

type Ranged = 'ge' | 'lt' | 'le'

const ranged: readonly string[] = ['ge', 'lt', 'le'] satisfies Ranged[]

/**
 * Filters at the boundary of a row's own value: the first includes the row, the second doesn't. Null where no other row
 * has a value on the needed side.
 */
function makeRangeExample({ list, sample }: Probe, operation: Ranged, field: string, row: ProbeRow): Example | null {
  const kind = kindOf(list, field)
  const values = readSortValues(sample, field, kind).filter((one) => typeof one === 'number')
  const [own] = readSortValues([row], field, kind)
  if (typeof own !== 'number') return null
  const above = Math.min(...values.filter((one) => one > own))
  const below = Math.max(...values.filter((one) => one < own))
  const compare = (value: number): Filter => ({
    kind: 'compare',
    field,
    comparison: operation,
    value: kind === 'moment' ? { moment: new Date(value).toISOString() } : value,
  })
  const [inside, outside] = operation === 'ge' ? [own, above] : operation === 'le' ? [own, below] : [above, own]
  return Number.isFinite(inside) && Number.isFinite(outside) ? { own: compare(inside), other: compare(outside) } : null
}

function makeFilter(operation: string, field: string, kind: FieldKind, value: unknown): Filter {
  const comparison = operation === 'ne' ? 'ne' : 'eq'
  if (kind === 'number') return { kind: 'compare', field, comparison, value: Number(value) }
  if (operation !== 'contains') {
    return { kind: 'compare', field, comparison, value: typeof value === 'boolean' ? value : String(value) }
  }
  return { kind: 'contains', field, value: findInnerPart(value) ?? String(value) }
}

function makeExample(probe: Probe, ability: Capability, row: ProbeRow): Example | null {
  const { list, sample } = probe
  const [operation = '', field = ''] = ability.split(':')
  const value = getField(row, field)
  if (value === null || value === '') return null
  if (ranged.includes(operation)) return makeRangeExample(probe, operation as Ranged, field, row)
  if (operation === 'contains' && findInnerPart(value) === null) return null
  const kind = kindOf(list, field)
  const own = makeFilter(operation, field, kind, value)
  const others = sample.map((one) => getField(one, field)).filter((other) => other !== null && other !== '')
  const other = others
    .map((one) => makeFilter(operation, field, kind, one))
    .find((filter) => matchesFilter(filter, row) === (operation === 'ne'))
  // A row has every value but its own.
  if (operation === 'ne') return { own: other ?? makeFilter(operation, field, kind, invented.keyword), other: own }
  if (other) return { own, other }
  const absent =
    kind === 'boolean' ? value !== true : kind === 'keyword' || kind === 'uuid' ? invented[kind] : invented.text
  return { own, other: makeFilter(operation, field, kind, kind === 'number' ? Number(value) + 1 : absent) }
}

/** Swaps the case of each letter, except where that changes the length. */
function swapCase(text: string): string {
  const swap = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())
  return Array.from(text, (letter) => (swap(letter).length === letter.length ? swap(letter) : letter)).join('')
}

/** A status spelled as in the desk's own choices, such as `Pending`; null for the same spelling and other fields. */
function spellAsDesk(field: string, { own }: Example): Filter | null {
  if (field !== 'status' || own.kind !== 'compare' || typeof own.value !== 'string') return null
  const spelled = spellState(own.value)
  return spelled === own.value ? null : { ...own, value: spelled }
}

/** Whether a page has a row twice. */
function repeatsRows(rows: readonly ProbeRow[]): boolean {
  const ids = rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  return new Set(ids).size < ids.length
}

/**
 * The first page and the second, if there is one: some services drop the filter or the order when paging, or sort each
 * page by itself. Null when a page repeats a row, or the second the whole first.
 */
async function readPages({ read }: Probe, query: ProbeQuery): Promise<ProbeRow[] | null> {
  const first = await read(query)
  if (repeatsRows(first.rows)) return null
  if (first.after === null) return first.rows
  const second = await read({ ...query, after: first.after })
  const firstIds = new Set(first.rows.map(({ id }) => id))
  const isRepeated = second.rows.length > 0 && second.rows.every(({ id }) => firstIds.has(id))
  return isRepeated ? null : [...first.rows, ...second.rows]
}

/** How many rows a filter finds; null when a row doesn't satisfy it, or `row` is found although unwanted or vice versa. */
async function countMatches(probe: Probe, filter: Filter, row: ProbeRow, isWanted: boolean): Promise<number | null> {
  const rows = await readPages(probe, { filter })
  if (!rows?.every((one) => matchesFilter(filter, one))) return null
  return rows.some(({ id }) => id === row.id) === isWanted ? rows.length : null
}

async function answers(probe: Probe, filter: Filter, row: ProbeRow, isWanted: boolean): Promise<boolean> {
  return (await countMatches(probe, filter, row, isWanted)) !== null
}

/** Whether `ne` finds a row without a value too, as SQL's own `<>` does not; true where the sample has none. */
async function findsBareRow(probe: Probe, ability: Capability, { other }: Example): Promise<boolean> {
  const [operation, field = ''] = ability.split(':')
  const bare = probe.sample.find((row) => typeof row.id === 'string' && getField(row, field) === null)
  return operation !== 'ne' || !bare || answers(probe, other, bare, true)
}

async function probeFilter(probe: Probe, ability: Capability): Promise<boolean | null> {
  let tried: Filter | null = null
  for (const row of probe.sample) {
    const example = typeof row.id === 'string' ? makeExample(probe, ability, row) : null
    if (!example || (tried && matchesFilter(tried, row))) continue
    const found = await countMatches(probe, example.own, row, true)
    if (found === null || !(await answers(probe, example.other, row, false))) return false
    const spelled = spellAsDesk(ability.split(':')[1] ?? '', example)
    if (spelled && !(await answers(probe, spelled, row, true))) return false
    if (!(await findsBareRow(probe, ability, example))) return false
    if (tried || found >= MIN_MATCHES) return true
    tried = example.own
  }
  return null
}

/** Whether `contains` ignores case. True when no sample text has a letter to swap. */
async function probeAnyCase(probe: Probe, field: string, proven: readonly Capability[]): Promise<boolean | null> {
  if (!proven.includes(`contains:${field}`)) return null
  for (const row of probe.sample) {
    const word = typeof row.id === 'string' ? findWord(getField(row, field) ?? '') : null
    if (word === null) continue
    const swapped = swapCase(word)
    if (swapped !== word) return answers(probe, { kind: 'contains', field, value: swapped }, row, true)
  }
  return true
}

/** Whether a capability is a filter that can be joined with another and still tells rows apart. */
function isJoinable(ability: Capability): boolean {
  return !['eq:id', 'eq:ids', 'and', 'or'].includes(ability) && !/^(?:order|anycase):/u.test(ability)
}

/** Whether a capability joins filters. */
export function isJoin(ability: Capability): boolean {
  return ability === 'and' || ability === 'or'
}

/** Whether `ability` joins filters but fewer than two joinable filters exist, with all of them known. */
export function hasNothingToJoin(list: ListId, ability: Capability, known: CapabilityProofs): boolean {
  if (!isJoin(ability)) return false
  const joinable = usedCapabilities[list].filter(isJoinable)
  return joinable.every((name) => name in known) && joinable.filter((name) => known[name]).length < 2
}

/**
 * Probes `and` or `or` with two proven capabilities, on a row that both can tell from others. Each of the two decides
 * once, because some services read only one of them.
 */
async function probeJoin(probe: Probe, kind: 'and' | 'or', proven: readonly Capability[]): Promise<boolean | null> {
  const [left, right] = proven.filter(isJoinable)
  if (left === undefined || right === undefined) return null
  for (const row of probe.sample) {
    const [first, second] = [makeExample(probe, left, row), makeExample(probe, right, row)]
    if (!first || !second || typeof row.id !== 'string') continue
    const tries: [Filter, Filter, isWanted: boolean][] =
      kind === 'and'
        ? [
            [first.own, second.own, true],
            [first.own, second.other, false],
            [first.other, second.own, false],
          ]
        : [
            [first.other, second.own, true],
            [first.own, second.other, true],
            [first.other, second.other, false],
          ]
    for (const [left, right, isWanted] of tries)
      if (!(await answers(probe, { kind, filters: [left, right] }, row, isWanted))) return false
    return true
  }
  return null
}

const collator = new Intl.Collator('en', { sensitivity: 'base' })

/** Services sort text by code unit, by folded code unit or by dictionary order; any of them is accepted. */
const textOrders: readonly ((left: string, right: string) => number)[] = [
  (left, right) => (left < right ? -1 : Number(left > right)),
  (left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : Number(left.toLowerCase() > right.toLowerCase())),
  (left, right) => collator.compare(left, right),
]

/** The values a list is sorted by; rows without a value may stand anywhere. */
export function readSortValues(rows: readonly unknown[], field: string, kind: FieldKind): (number | string)[] {
  return rows.flatMap((row) => sortKey(row, field, kind) ?? [])
}

/** Whether values are in order; equal neighbours are allowed. */
export function isSorted(values: readonly (number | string)[], direction: SortOrder['direction']): boolean {
  const sign = direction === 'desc' ? -1 : 1
  const holds = (compare: (left: number | string, right: number | string) => number) =>
    values.every((value, index) => index === 0 || sign * compare(values[index - 1] ?? value, value) <= 0)
  if (values.every((value) => typeof value === 'number')) return holds((left, right) => Number(left) - Number(right))
  return textOrders.some((compare) => holds((left, right) => compare(String(left), String(right))))
}

/** Whether the values have so many permutations that they are hardly in order by chance. */
function isNoChance(values: readonly (number | string)[]): boolean {
  const counts = new Map<number | string, number>()
  let arrangements = 1
  for (const [index, value] of values.entries()) {
    const count = (counts.get(value) ?? 0) + 1
    counts.set(value, count)
    arrangements *= (index + 1) / count
    if (arrangements >= MIN_ARRANGEMENTS) return true
  }
  return false
}

/** Splits rows into runs of equal values of a field, such as the amounts of each currency. */
function groupRuns(rows: readonly ProbeRow[], field: string | undefined): ProbeRow[][] {
  const runs: ProbeRow[][] = []
  let last: unknown
  for (const row of rows) {
    const value = field === undefined ? null : getField(row, field)
    const run = runs.at(-1)
    if (run && value === last) run.push(row)
    else runs.push([row])
    last = value
  }
  return runs
}

/** Whether rows are grouped by all fields but the last, in ascending order, and within a group sorted by the last. */
function isInOrder(
  list: ListId,
  rows: readonly ProbeRow[],
  fields: readonly string[],
  direction: SortOrder['direction'],
) {
  const [field = '', group] = fields.toReversed()
  const groups = groupRuns(rows, group)
  const firsts = groups.flatMap((run) => run.slice(0, 1))
  return (
    (group === undefined || isSorted(readSortValues(firsts, group, kindOf(list, group)), 'asc')) &&
    groups.every((run) => isSorted(readSortValues(run, field, kindOf(list, field)), direction))
  )
}

async function probeOrder(probe: Probe, names: string): Promise<boolean | null> {
  const fields = names.split(',')
  const [field = ''] = fields.toReversed()
  const orderBy = (direction: SortOrder['direction']) =>
    fields.map((name): SortOrder => ({ field: name, direction: name === field ? direction : 'asc' }))
  const [ascending, descending] = [
    await readPages(probe, { order: orderBy('asc') }),
    await readPages(probe, { order: orderBy('desc') }),
  ]
  if (!ascending || !descending) return false
  if (!isInOrder(probe.list, ascending, fields, 'asc') || !isInOrder(probe.list, descending, fields, 'desc'))
    return false
  const up = readSortValues(ascending, field, kindOf(probe.list, field))
  const down = readSortValues(descending, field, kindOf(probe.list, field))
  return up[0] !== undefined && up[0] !== down[0] && isNoChance([...up, ...down]) ? true : null
}

/**
 * Probes one capability of a list: a filter must find a row by its own value and exclude it by another's, an order must
 * reverse, both on the second page too. Null when the rows cannot decide it: too few, or too much alike. `proven` are
 * the capabilities already known to hold. Throws what `read` throws.
 */
export async function probeCapability(
  probe: Probe,
  ability: Capability,
  proven: readonly Capability[],
): Promise<boolean | null> {
  if (probe.sample.length < MIN_ROWS) return null
  if (ability === 'and' || ability === 'or') return probeJoin(probe, ability, proven)
  const [operation, field = ''] = ability.split(':')
  if (operation === 'anycase') return probeAnyCase(probe, field, proven)
  return operation === 'order' ? probeOrder(probe, field) : probeFilter(probe, ability)
}
