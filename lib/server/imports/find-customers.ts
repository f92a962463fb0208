import type { Customer } from '@/lib/api-contract/customers'
import { type Filter, formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import { parseTimestamp } from '@/lib/domain/date'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { followPages } from '@/lib/domain/lists/list-pages'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import type { KnownBefore } from '../store/import-schema'
import { callEndpoint } from '../upstream/call-endpoint'
import { probeCapabilities, readCapabilities } from '../upstream/capabilities'
import { isSorted, readSortValues } from '../upstream/capability-probes'

/** A customer as the service lists it, with the id that names it. */
export type ListedCustomer = Customer & { id: string }

type Body = Readonly<Record<string, string>>

const normalize = (value: string) => value.normalize('NFC').trim()

/** The spelling by which customers are compared loosely. */
export const foldText = (value: string) => normalize(value).toLowerCase()

/** Whether a listed customer shows everything that was sent, as far as the list shows it; the name it must show. */
export function isExactly(customer: ListedCustomer, body: Body): boolean {
  if (customer.name === null) return false
  return Object.entries(body).every(([field, sent]) => {
    const shown = customer[field]
    // What is shown as something else than text cannot be compared.
    if (shown === '' || (typeof shown !== 'string' && typeof shown !== 'number')) return true
    return normalize(sent) === normalize(String(shown))
  })
}

/** Whether a person may want to see it: the same name in any case of letters, or the same number. */
export function isAlike({ name, number }: Pick<Customer, 'name' | 'number'>, body: Body): boolean {
  const isNamed = name !== null && foldText(name) === foldText(body['name'] ?? '')
  return isNamed || (number !== null && foldText(number) === foldText(body['number'] ?? ''))
}

/**
 * Whether a customer was there before a line was sent. Only the service's own clock is compared with itself: it is
 * `since` if it was not in a list that was read whole, or was created after everything that was listed then. Where the two
 * contradict each other, or nothing is known, nothing is proven.
 */
export function compareAge(
  { id, createdAt }: ListedCustomer,
  before: KnownBefore | null,
): 'before' | 'since' | 'unproven' {
  if (!before) return 'unproven'
  if (before.ids.includes(id)) return 'before'
  const apart = parseTimestamp(createdAt) - parseTimestamp(before.newest)
  if (Number.isNaN(apart)) return before.whole ? 'since' : 'unproven'
  if (apart > 0) return 'since'
  return before.whole && apart === 0 ? 'since' : 'unproven'
}

type LineBody = Readonly<Record<string, string>>

/** Asked between two pages: false gives the walk up. */
type GoOn = () => Promise<boolean>

type Walk = { filter?: Filter; pages: number; goOn: GoOn; signal?: AbortSignal }

/** How far a walk came: to the list's end with every entry read, not so far, or until it was given up. */
type End = 'whole' | 'incomplete' | 'stopped'

/** Before the first line is sent, a list is read no further than this. */
const before = { pages: 50, milliseconds: 20_000 }
/** Lines in doubt are rare: for them the list is read as far as 100,000 customers. */
const pagesForDoubts = 1_000
/** For a few lines a filter costs less than the list; one that gives more pages than this helps nobody. */
const filtered = { lines: 10, pages: 10 }
/** Customers of one name that are worth remembering. */
const mostNamesakes = 100

const hasId = (customer: Customer): customer is ListedCustomer => customer.id !== null

async function walkCustomers(session: Session, walk: Walk, meet: (customer: ListedCustomer) => void): Promise<End> {
  const { filter, pages, goOn, signal } = walk
  const follow = followPages()
  let isWhole = true
  let after: string | null = null
  for (let page = 0; page < pages; page += 1) {
    if (page > 0 && !(await goOn())) return 'stopped'
    const query: Record<string, string> = {
      limit: '100',
      ...(filter && { filter: formatFilter(filter) }),
      ...(after !== null && { after }),
    }
    const { results, unreadable, continuation } = await callEndpoint(session, 'listCustomers', {
      query,
      signal,
      retry: true,
    })
    const named = results.filter(hasId)
    if (unreadable > 0 || named.length < results.length) isWhole = false
    named.forEach(meet)
    const next = follow(continuation)
    if (next.kind === 'end') return isWhole ? 'whole' : 'incomplete'
    if (next.kind === 'incomplete') return 'incomplete'
    after = next.after
  }
  return 'incomplete'
}

/** What is known of the customers before lines are sent, told line by line. */
type Before = (body: LineBody) => KnownBefore | null

const nothingKnown: Before = () => null

/** Where the list is proven to be sorted by creation, its first page tells the latest creation: one request. */
async function readNewest(session: Session, signal: AbortSignal): Promise<Before | null> {
  const query = { limit: '20', orderby: formatSortOrder([{ field: 'createdAt', direction: 'desc' }]) }
  const { results } = await callEndpoint(session, 'listCustomers', { query, signal })
  const newest = results[0]?.createdAt ?? null
  if (newest === null || !isSorted(readSortValues(results, 'createdAt', 'moment'), 'desc')) return null
  const ids = results.filter(hasId).map(({ id }) => id)
  return () => ({ ids, newest, whole: false })
}

async function readAllBefore(session: Session, goOn: GoOn, signal: AbortSignal): Promise<Before> {
  const alike = new Map<string, string[]>()
  let newest: { at: number; told: string } | null = null
  const walk = { pages: before.pages, goOn, signal }
  const end = await walkCustomers(session, walk, ({ id, name, number, createdAt }) => {
    for (const key of [name && `name ${foldText(name)}`, number && `number ${foldText(number)}`])
      if (key) alike.set(key, [...(alike.get(key) ?? []).slice(-mostNamesakes), id])
    const at = Date.parse(createdAt ?? '')
    if (createdAt !== null && at > (newest?.at ?? Number.NEGATIVE_INFINITY)) newest = { at, told: createdAt }
  })
  if (end !== 'whole') return nothingKnown
  return (body) => {
    const keys = [`name ${foldText(body['name'] ?? '')}`, `number ${foldText(body['number'] ?? '')}`]
    const ids = keys.flatMap((key) => alike.get(key) ?? [])
    return ids.length > mostNamesakes ? null : { ids, newest: newest?.told ?? null, whole: true }
  }
}

/**
 * Learns which customers there are before lines are sent, so that none of them is taken for a line's later. A service that
 * cannot be asked, or a list that is too long to be read, makes nothing known: then a person decides about lines in doubt.
 */
export async function snapshotCustomers(session: Session, goOn: GoOn): Promise<Before> {
  const signal = AbortSignal.timeout(before.milliseconds)
  try {
    const proofs = await readCapabilities(session, 'listCustomers')
    const byNewest = proofs['order:createdAt'] === true ? await readNewest(session, signal) : null
    return byNewest ?? (await readAllBefore(session, goOn, signal))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return nothingKnown
  }
}

function chooseFilter({ name = '', number = '' }: LineBody, proofs: CapabilityProofs): Filter | null {
  if (number !== '' && proofs['contains:number'] === true) return { kind: 'contains', field: 'number', value: number }
  if (proofs['contains:name'] === true) return { kind: 'contains', field: 'name', value: name }
  return null
}

/**
 * Reads the listed customers that may be those of some lines: by a filter for each of a few lines where the service was
 * proven to have one, else in one walk for all. Null when it was given up. Throws Failure as `perform` does.
 */
export async function findAlike(
  session: Session,
  bodies: readonly LineBody[],
  goOn: GoOn,
): Promise<{ customers: ListedCustomer[]; isWhole: boolean } | null> {
  const found = new Map<string, ListedCustomer>()
  const meet = (customer: ListedCustomer) => {
    if (bodies.some((body) => isAlike(customer, body))) found.set(customer.id, customer)
  }
  const proofs = await probeCapabilities(session, 'listCustomers')
  const filters = bodies.map((body) => chooseFilter(body, proofs))
  let end: End = 'incomplete'
  if (bodies.length <= filtered.lines) {
    for (const filter of filters) {
      end = filter ? await walkCustomers(session, { filter, pages: filtered.pages, goOn }, meet) : 'incomplete'
      if (!(await goOn())) return null
      if (end !== 'whole') break
    }
  }
  if (end === 'incomplete') end = await walkCustomers(session, { pages: pagesForDoubts, goOn }, meet)
  return end === 'stopped' ? null : { customers: [...found.values()], isWhole: end === 'whole' }
}
