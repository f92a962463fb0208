import type { Proofs } from '@/lib/contract/ability'
import type { Customer } from '@/lib/contract/customers'
import { formatFilter, formatOrder, type Filter } from '@/lib/contract/filter'
import { followPages } from '@/lib/contract/follow-pages'
import { isSorted, readSortValues } from '../capabilities/is-sorted-by'
import { proveAbilities, readProofs } from '../capabilities'
import { Failure } from '../failure'
import { perform } from '../perform'
import type { Session } from '../session'
import type { KnownBefore } from '../store/import-schema'
import { foldText, isAlike, type ListedCustomer } from './match-customer'

type Body = Readonly<Record<string, string>>

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
    const { results, unreadable, continuation } = await perform(session, 'listCustomers', {
      query,
      signal,
      isPatient: true,
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
type Before = (body: Body) => KnownBefore | null

const nothingKnown: Before = () => null

/** Where the list is proven to be sorted by creation, its first page tells the latest creation: one request. */
async function readNewest(session: Session, signal: AbortSignal): Promise<Before | null> {
  const query = { limit: '20', orderby: formatOrder([{ field: 'createdAt', direction: 'desc' }]) }
  const { results } = await perform(session, 'listCustomers', { query, signal })
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
export async function learnCustomers(session: Session, goOn: GoOn): Promise<Before> {
  const signal = AbortSignal.timeout(before.milliseconds)
  try {
    const proofs = await readProofs(session, 'listCustomers')
    const byNewest = proofs['order:createdAt'] === true ? await readNewest(session, signal) : null
    return byNewest ?? (await readAllBefore(session, goOn, signal))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return nothingKnown
  }
}

function chooseFilter({ name = '', number = '' }: Body, proofs: Proofs): Filter | null {
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
  bodies: readonly Body[],
  goOn: GoOn,
): Promise<{ customers: ListedCustomer[]; isWhole: boolean } | null> {
  const found = new Map<string, ListedCustomer>()
  const meet = (customer: ListedCustomer) => {
    if (bodies.some((body) => isAlike(customer, body))) found.set(customer.id, customer)
  }
  const proofs = await proveAbilities(session, 'listCustomers')
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
