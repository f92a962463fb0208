import { type Ability, type ListId, type Proofs, usedAbilities } from '@/lib/contract/ability'
import { type FieldKind, type Filter, filterFields, type Order } from '@/lib/contract/filter'
import { matchFilter } from '@/lib/contract/match-filter'
import { readField } from '@/lib/contract/read-field'
import { isSorted, readSortValues } from './is-sorted-by'

export type ProbeRow = Record<string, unknown>

/** What a probe works with: rows that the list gave unasked, and a way to ask it for one page. */
export type Probe = {
  list: ListId
  sample: readonly ProbeRow[]
  read: (query: { filter?: Filter; order?: Order }) => Promise<ProbeRow[]>
}

/** A filter that a row satisfies by its own value, and the same with a value that it has not. */
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

function makeFilter(operation: string, field: string, value: unknown): Filter {
  if (operation !== 'contains') {
    return { kind: 'compare', field, comparison: 'eq', value: typeof value === 'boolean' ? value : String(value) }
  }
  // One word of it, as a person would type; the whole where no word is long enough.
  const word = String(value)
    .split(/\s+/u)
    .find((part) => part.length >= 3)
  return { kind: 'contains', field, value: word ?? String(value) }
}

function makeExample({ list, sample }: Probe, ability: Ability, row: ProbeRow): Example | null {
  const [operation = '', field = ''] = ability.split(':')
  const value = readField(row, field)
  if (value === null || value === '') return null
  const kind = kindOf(list, field)
  const own = makeFilter(operation, field, value)
  const others = sample.map((one) => readField(one, field)).filter((other) => other !== null && other !== '')
  const other = others.map((one) => makeFilter(operation, field, one)).find((filter) => !matchFilter(filter, row))
  if (other) return { own, other }
  const stranger =
    kind === 'boolean' ? value !== true : kind === 'keyword' || kind === 'uuid' ? invented[kind] : invented.text
  return { own, other: makeFilter(operation, field, stranger) }
}

/** The other case of each letter; letters that have none, or a longer one, stay. */
function swapCase(text: string): string {
  const swap = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())
  return Array.from(text, (letter) => (swap(letter).length === letter.length ? swap(letter) : letter)).join('')
}

/** A state as the desk's own choices spell it: `Pending`. Other words are offered as the service spells them. */
function spellAsDesk(field: string, { own }: Example): Filter | null {
  if (field !== 'status' || own.kind !== 'compare' || typeof own.value !== 'string') return null
  const spelled = own.value.slice(0, 1).toUpperCase() + own.value.slice(1).toLowerCase()
  return spelled === own.value ? null : { ...own, value: spelled }
}

/** Whether the filter finds `row` (or leaves it out), and nothing that does not satisfy it. */
async function answers({ read }: Probe, filter: Filter, row: ProbeRow, isWanted: boolean): Promise<boolean> {
  const rows = await read({ filter })
  return rows.every((one) => matchFilter(filter, one)) && rows.some(({ id }) => id === row.id) === isWanted
}

async function probeFilter(probe: Probe, ability: Ability): Promise<boolean | null> {
  for (const row of probe.sample) {
    const example = typeof row.id === 'string' ? makeExample(probe, ability, row) : null
    if (!example) continue
    const holds = (await answers(probe, example.own, row, true)) && (await answers(probe, example.other, row, false))
    const spelled = spellAsDesk(ability.split(':')[1] ?? '', example)
    return holds && (spelled === null || (await answers(probe, spelled, row, true)))
  }
  return null
}

/** Whether `contains` finds a text in the other case too. Where no text has a letter there is nothing to tell. */
async function probeAnyCase(probe: Probe, field: string, proven: readonly Ability[]): Promise<boolean | null> {
  if (!proven.includes(`contains:${field}`)) return null
  for (const row of probe.sample) {
    const example = typeof row.id === 'string' ? makeExample(probe, `contains:${field}`, row) : null
    if (example?.own.kind !== 'contains') continue
    const swapped = swapCase(example.own.value)
    if (swapped !== example.own.value) return answers(probe, { ...example.own, value: swapped }, row, true)
  }
  return true
}

/** Whether an ability is a filter that can be joined with another one and still tell rows apart. */
function isJoinable(ability: Ability): boolean {
  return !['eq:id', 'eq:ids', 'and', 'or'].includes(ability) && !/^(?:order|anycase):/u.test(ability)
}

/** Whether `ability` joins filters, and of those that could be joined, as far as all is known, there are no two. */
export function hasNothingToJoin(list: ListId, ability: Ability, known: Proofs): boolean {
  if (ability !== 'and' && ability !== 'or') return false
  const joinable = usedAbilities[list].filter(isJoinable)
  return joinable.every((name) => name in known) && joinable.filter((name) => known[name]).length < 2
}

/** `and` and `or` are probed with two abilities that are proven, on a row that both can tell from others. */
async function probeJoin(probe: Probe, kind: 'and' | 'or', proven: readonly Ability[]): Promise<boolean | null> {
  const [left, right] = proven.filter(isJoinable)
  if (left === undefined || right === undefined) return null
  for (const row of probe.sample) {
    const [first, second] = [makeExample(probe, left, row), makeExample(probe, right, row)]
    if (!first || !second || typeof row.id !== 'string') continue
    const found: Filter = { kind, filters: [kind === 'and' ? first.own : first.other, second.own] }
    const missed: Filter = { kind, filters: [kind === 'and' ? first.own : first.other, second.other] }
    return (await answers(probe, found, row, true)) && (await answers(probe, missed, row, false))
  }
  return null
}

async function probeOrder({ list, read }: Probe, field: string): Promise<boolean | null> {
  const kind = kindOf(list, field)
  const up = readSortValues(await read({ order: { field, direction: 'asc' } }), field, kind)
  const down = readSortValues(await read({ order: { field, direction: 'desc' } }), field, kind)
  if (!isSorted(up, 'asc') || !isSorted(down, 'desc')) return false
  return up[0] === undefined || up[0] === down[0] ? null : true
}

/**
 * Tries out one ability of a list: a filter must find a row by the row's own value and leave it out by
 * another's, an order must turn round. Null where the rows at hand cannot decide it. `proven` are the
 * abilities that hold already. Throws what `read` throws.
 */
export function probeAbility(probe: Probe, ability: Ability, proven: readonly Ability[]): Promise<boolean | null> {
  if (ability === 'and' || ability === 'or') return probeJoin(probe, ability, proven)
  const [operation, field = ''] = ability.split(':')
  if (operation === 'anycase') return probeAnyCase(probe, field, proven)
  return operation === 'order' ? probeOrder(probe, field) : probeFilter(probe, ability)
}
