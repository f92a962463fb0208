import type { Customer } from '@/lib/api-contract/customers'
import { type Filter, formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import { parseTimestamp } from '@/lib/domain/dates/date'
import { type ExistingNumbers, foldCustomerText } from '@/lib/domain/customers/customer-import'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { followPages } from '@/lib/domain/lists/list-pages'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import type { KnownBefore } from '../store/import-schema'
import { toStorable } from '../store/to-storable'
import { callEndpoint } from '../upstream/call-endpoint'
import { probeCapabilities, readCapabilities } from '../upstream/capabilities'
import { isSorted, readSortValues } from '../upstream/capability-probes'
import { SeenRows } from '../upstream/seen-rows'

/** A customer with an id, which is as the store and the activity log keep it. */
export type ListedCustomer = Customer & { id: string }

type LineBody = Readonly<Record<string, string>>

export const normalize = (value: string) => value.normalize('NFC').trim()

/** Whether the listed customer matches every sent field that the list shows; it must show the name. */
export function isExactMatch(customer: ListedCustomer, body: LineBody): boolean {
  if (customer.name === null) return false
  return Object.entries(body).every(([field, sent]) => {
    const listed = customer[field]
    // Other types cannot be compared.
    if (listed === '' || (typeof listed !== 'string' && typeof listed !== 'number')) return true
    return normalize(sent) === normalize(String(listed))
  })
}

/** What a customer or a line is found by. Two that share a key are similar: a user may consider them the same. */
function likenessKeys({ name, number }: { name?: string | null; number?: string | null }): string[] {
  const texts = [
    ['number', foldCustomerText(number ?? '')],
    ['name', foldCustomerText(name ?? '')],
  ] as const
  return texts.flatMap(([field, text]) => (text === '' ? [] : [`${field} ${text}`]))
}

/**
 * Whether a customer existed before a line was sent, judged by the upstream API's own timestamps: `since` if it was
 * missing from a complete list, or is newer than everything listed then. If these contradict each other or are unknown,
 * `unproven`.
 */
export function compareAge(
  { id, createdAt }: ListedCustomer,
  before: KnownBefore | null,
): 'before' | 'since' | 'unproven' {
  if (!before) return 'unproven'
  if (before.ids.includes(id)) return 'before'
  const difference = parseTimestamp(createdAt) - parseTimestamp(before.newest)
  if (Number.isNaN(difference)) return before.whole ? 'since' : 'unproven'
  if (difference > 0) return 'since'
  return before.whole && difference === 0 ? 'since' : 'unproven'
}

/** Called between pages; false stops pagination. */
type ShouldContinue = () => Promise<boolean>

type CustomerPagination = {
  filter?: Filter
  orderby?: string
  pages: number
  shouldContinue: ShouldContinue
  signal?: AbortSignal
  isBackground: boolean
}

/** `whole`: all entries were read. `moved`: one came twice. `stopped`: `shouldContinue` returned false. */
type PaginationEnd = 'whole' | 'moved' | 'incomplete' | 'stopped'

/** Limits of reading the list before the first line is sent. */
const SNAPSHOT_LIMITS = { pages: 50, milliseconds: 20_000 }
/** Up to 100,000 customers: lines in doubt are rare. */
const MAX_PAGES_FOR_DOUBTS = 1_000
/** For a few lines filters cost less than the list, unless they return many pages. */
const FILTER_LIMITS = { lines: 10, pages: 10 }
/** Maximum number of remembered customers per name. */
const MAX_NAMESAKES = 100

function toListed(customer: Customer): ListedCustomer[] {
  const id = toStorable(customer.id)
  return id === null ? [] : [{ ...customer, id }]
}

async function paginateCustomers(
  session: Session,
  pagination: CustomerPagination,
  onCustomer: (customer: ListedCustomer) => void,
): Promise<PaginationEnd> {
  const { filter, orderby, pages, shouldContinue, signal, isBackground } = pagination
  const follow = followPages()
  const met = new SeenRows()
  let isWhole = true
  let after: string | null = null
  for (let page = 0; page < pages; page += 1) {
    if (page > 0 && !(await shouldContinue())) return 'stopped'
    const query: Record<string, string> = {
      limit: '100',
      ...(filter && { filter: formatFilter(filter) }),
      ...(orderby && { orderby }),
      ...(after !== null && { after }),
    }
    const { results, unreadable, continuation } = await callEndpoint(session, 'listCustomers', {
      query,
      signal,
      retry: true,
      isBackground,
    })
    met.meet(results)
    const named = results.flatMap(toListed)
    if (unreadable > 0 || named.length < results.length) isWhole = false
    named.forEach(onCustomer)
    const next = follow(continuation)
    // A customer that came twice shows that the list moved, and another may have passed unseen.
    if (next.kind === 'end') return !isWhole ? 'incomplete' : met.hasMoved ? 'moved' : 'whole'
    if (next.kind === 'incomplete') return 'incomplete'
    after = next.after
  }
  return 'incomplete'
}

/**
 * Reads the customers, and at once again where the list moved: in the order of creation where that is proven, in which new
 * customers come to the end and move none that is yet to be read.
 */
async function paginateUnmoved(
  session: Session,
  pagination: CustomerPagination & { proofs: CapabilityProofs },
  onCustomer: (customer: ListedCustomer) => void,
): Promise<PaginationEnd> {
  const end = await paginateCustomers(session, pagination, onCustomer)
  if (end !== 'moved') return end
  const order = pagination.proofs['order:createdAt'] === true ? { orderby: 'createdAt' } : {}
  return paginateCustomers(session, { ...pagination, ...order }, onCustomer)
}

/** The customers known before the first line is sent, looked up per line. */
type KnownCustomers = (body: LineBody) => KnownBefore | null

const NOTHING_KNOWN: KnownCustomers = () => null

/** If the list is proven to sort by creation, one request shows the latest. */
async function readNewest(session: Session, signal: AbortSignal): Promise<KnownCustomers | null> {
  const query = { limit: '20', orderby: formatSortOrder([{ field: 'createdAt', direction: 'desc' }]) }
  const { results } = await callEndpoint(session, 'listCustomers', { query, signal, isBackground: true })
  const newest = toStorable(results[0]?.createdAt ?? null)
  if (newest === null || !isSorted(readSortValues(results, 'createdAt', 'moment'), 'desc')) return null
  const ids = results.flatMap(toListed).map(({ id }) => id)
  return () => ({ ids, newest, whole: false })
}

async function readAllCustomers(
  session: Session,
  proofs: CapabilityProofs,
  shouldContinue: ShouldContinue,
  signal: AbortSignal,
): Promise<KnownCustomers> {
  const alike = new Map<string, Set<string>>()
  let newest: { at: number; createdAt: string } | null = null
  const pagination = { pages: SNAPSHOT_LIMITS.pages, proofs, shouldContinue, signal, isBackground: true }
  const end = await paginateUnmoved(session, pagination, ({ id, name, number, createdAt }) => {
    for (const key of likenessKeys({ name, number })) {
      const ids = alike.get(key) ?? new Set()
      if (ids.size <= MAX_NAMESAKES) alike.set(key, ids.add(id))
    }
    const at = Date.parse(createdAt ?? '')
    if (createdAt !== null && at > (newest?.at ?? Number.NEGATIVE_INFINITY))
      newest = { at, createdAt: toStorable(createdAt) }
  })
  if (end !== 'whole') return NOTHING_KNOWN
  return (body) => {
    const ids = likenessKeys(body).flatMap((key) => [...(alike.get(key) ?? [])])
    return ids.length > MAX_NAMESAKES ? null : { ids, newest: newest?.createdAt ?? null, whole: true }
  }
}

/**
 * Learns which customers exist before lines are sent, so that none of them is later taken for a line's. If the list
 * cannot be read or is too long, nothing is known, and users decide about lines in doubt.
 */
export async function snapshotCustomers(session: Session, shouldContinue: ShouldContinue): Promise<KnownCustomers> {
  const signal = AbortSignal.timeout(SNAPSHOT_LIMITS.milliseconds)
  try {
    const proofs = await readCapabilities(session, 'listCustomers')
    const byNewest = proofs['order:createdAt'] === true ? await readNewest(session, signal) : null
    return byNewest ?? (await readAllCustomers(session, proofs, shouldContinue, signal))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return NOTHING_KNOWN
  }
}

/** Up to 20,000 customers within 20 s: somebody waits for it. */
const COMPARE_LIMITS = { pages: 200, milliseconds: 20_000 }

async function shouldGoOn(): Promise<boolean> {
  return true
}

/** Whether a filter may find a text: nobody proves that one for numbers ignores case. */
function hasNoCase(text: string): boolean {
  return text.toUpperCase() === text.toLowerCase()
}

function acceptRefusal(error: unknown): PaginationEnd {
  if (error instanceof AppError && error.code === 'upstream-refused') return 'incomplete'
  throw error
}

/**
 * Which of the numbers customers have already; see foldCustomerText. If there are few numbers and the filter is proven,
 * reads the customers of each. Otherwise, where filters did not show all, or where a number with letters was not found,
 * reads the customers once. Throws AppError if no customer could be read.
 */
export async function findExistingNumbers(session: Session, numbers: readonly string[]): Promise<ExistingNumbers> {
  const signal = AbortSignal.timeout(COMPARE_LIMITS.milliseconds)
  const waitedFor = { shouldContinue: shouldGoOn, signal, isBackground: false }
  const found = new Set<string>()
  let compared = 0
  const onCustomer = ({ number }: ListedCustomer) => {
    compared += 1
    found.add(foldCustomerText(number ?? ''))
  }
  const reply = (isWhole: boolean): ExistingNumbers => ({
    numbers: numbers.filter((number) => found.has(foldCustomerText(number))),
    compared,
    isWhole,
  })
  try {
    const proofs = await readCapabilities(session, 'listCustomers')
    if (proofs['contains:number'] === true && numbers.length <= FILTER_LIMITS.lines) {
      let isWhole = true
      for (const value of numbers) {
        const filter: Filter = { kind: 'contains', field: 'number', value }
        const pagination = { filter, pages: FILTER_LIMITS.pages, ...waitedFor }
        const end = await paginateCustomers(session, pagination, onCustomer).catch(acceptRefusal)
        if (end !== 'whole') isWhole = false
      }
      // A service may find letters only as they are spelled, and refuse a filter for a text.
      if (isWhole && numbers.every(hasNoCase)) return reply(true)
      const existing = reply(true)
      if (existing.numbers.length === numbers.length) return existing
      compared = 0
    }
    const pagination = { pages: COMPARE_LIMITS.pages, ...waitedFor }
    return reply((await paginateCustomers(session, pagination, onCustomer)) === 'whole')
  } catch (error) {
    if (!(error instanceof AppError) || compared === 0) throw error
    return reply(false)
  }
}

function chooseFilter({ name = '', number = '' }: LineBody, proofs: CapabilityProofs): Filter | null {
  if (number !== '' && hasNoCase(number) && proofs['contains:number'] === true)
    return { kind: 'contains', field: 'number', value: number }
  if (proofs['contains:name'] === true && proofs['anycase:name'] === true)
    return { kind: 'contains', field: 'name', value: name }
  return null
}

/** `similarTo`: the customers similar to one of the lines that were looked for. */
type SimilarCustomers = { similarTo: (body: LineBody) => ListedCustomer[]; isWhole: boolean }

/**
 * Reads the listed customers that may match some lines: with one filter per line if there are few and the filter is
 * proven, else by reading the list once. Its cost doesn't multiply lines by customers. Null if `shouldContinue` stopped it. Throws AppError.
 */
export async function findSimilarCustomers(
  session: Session,
  bodies: readonly LineBody[],
  shouldContinue: ShouldContinue,
): Promise<SimilarCustomers | null> {
  const byKey = new Map(bodies.flatMap(likenessKeys).map((key) => [key, new Map<string, ListedCustomer>()]))
  const onCustomer = (customer: ListedCustomer) => {
    for (const key of likenessKeys(customer)) byKey.get(key)?.set(customer.id, customer)
  }
  const proofs = await probeCapabilities(session, 'listCustomers')
  const filters = bodies.map((body) => chooseFilter(body, proofs))
  const unattended = { shouldContinue, isBackground: true }
  let end: PaginationEnd = 'incomplete'
  if (bodies.length <= FILTER_LIMITS.lines) {
    for (const filter of filters) {
      end = filter
        ? await paginateCustomers(session, { filter, pages: FILTER_LIMITS.pages, ...unattended }, onCustomer)
        : 'incomplete'
      if (!(await shouldContinue())) return null
      if (end !== 'whole') break
    }
  }
  if (end === 'incomplete' || end === 'moved')
    end = await paginateUnmoved(session, { pages: MAX_PAGES_FOR_DOUBTS, proofs, ...unattended }, onCustomer)
  if (end === 'stopped') return null
  const similarTo = (body: LineBody) => {
    const alike = likenessKeys(body).flatMap((key) => [...(byKey.get(key) ?? [])])
    return [...new Map(alike).values()]
  }
  return { similarTo, isWhole: end === 'whole' }
}
