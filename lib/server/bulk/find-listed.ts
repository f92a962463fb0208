import { type Proofs, abilitiesFor } from '@/lib/contract/ability'
import { type Filter, formatFilter } from '@/lib/contract/filter'
import type { Payment } from '@/lib/contract/payments'
import type { Ledger } from '../cancellations/ledger'
import { limitConcurrency } from '../limit-concurrency'
import { readPage } from './read-page'
import { walkList } from './walk-list'

export type KnownPayment = Payment & { id: string }

/** The payments that were found, by the id or handle that named them; `isWhole`: what is not among them does not exist. */
export type Found = { byName: Map<string, KnownPayment>; isWhole: boolean; failure: string | null }

const perQuestion = 50
const questionsAtOnce = 4
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu

function hasId(payment: Payment): payment is KnownPayment {
  return payment.id !== null
}

/** How a name is compared: ids without regard to case, handles as they are. */
export function foldName(name: string): string {
  return uuid.test(name) ? name.toLowerCase() : name
}

function note(found: Map<string, KnownPayment>, wanted: ReadonlySet<string>, payments: readonly Payment[]): void {
  for (const payment of payments.filter(hasId)) {
    // A value that is the id of a record is an id, else it is a handle (D-08).
    if (payment.handle !== null && wanted.has(payment.handle) && !found.has(payment.handle))
      found.set(payment.handle, payment)
    const id = foldName(payment.id)
    if (wanted.has(id)) found.set(id, payment)
  }
}

/** Which names of a list have been met on a walk, and whether it need not go on. */
class Search {
  readonly #ids: Set<string>
  readonly #handles: Set<string>
  #areIdsUuids = true

  constructor(wanted: ReadonlySet<string>) {
    this.#ids = new Set(wanted)
    this.#handles = new Set(wanted)
  }

  meet(payments: readonly Payment[]): void {
    for (const { id, handle } of payments) {
      if (handle !== null) this.#handles.delete(handle)
      if (id === null) continue
      this.#ids.delete(foldName(id))
      this.#areIdsUuids &&= uuid.test(id)
    }
  }

  /** What was met as a handle may be the id of a payment that comes later (D-08), unless no id looks like it. */
  get isDone(): boolean {
    return [...this.#ids].every((name) => this.#areIdsUuids && !uuid.test(name) && !this.#handles.has(name))
  }
}

async function askByIds(ledger: Ledger, ids: readonly string[], onRead: (count: number) => Promise<void>) {
  const found = new Map<string, KnownPayment>()
  let isWhole = true
  const gate = limitConcurrency(questionsAtOnce, Number.POSITIVE_INFINITY)
  const ask = async (part: readonly string[]) => {
    const filters: Filter[] = part.map((value) => ({ kind: 'compare', field: 'id', comparison: 'eq', value }))
    const [first] = filters
    if (!first) return
    const filter = formatFilter(filters.length === 1 ? first : { kind: 'or', filters })
    const answer = await readPage(ledger, { filter, limit: 100 })
    const wanted = new Set(part)
    const results = answer.kind === 'page' ? answer.page.results : []
    // One that was not asked for shows that the filter is not honoured: then nothing is known of those that are missing.
    const isHonoured =
      answer.kind === 'page' &&
      answer.page.unreadable === 0 &&
      answer.page.continuation.kind === 'end' &&
      results.every(({ id }) => id !== null && wanted.has(foldName(id)))
    if (!isHonoured) isWhole = false
    note(found, wanted, results)
    await onRead(part.length)
  }
  const parts = Array.from({ length: Math.ceil(ids.length / perQuestion) }, (_, index) =>
    ids.slice(index * perQuestion, (index + 1) * perQuestion),
  )
  await Promise.all(parts.map((part) => gate(() => ask(part))))
  return { found, isWhole }
}

/**
 * Finds payments by their ids or handles: ids by filters of fifty where those were proven, all others in one walk
 * of the list, which ends as soon as all are found. `onRead` is told how many more entries were read.
 */
export async function findListed(
  ledger: Ledger,
  names: readonly string[],
  { proofs, onRead }: { proofs: Proofs; onRead: (count: number) => Promise<void> },
): Promise<Found> {
  const byName = new Map<string, KnownPayment>()
  const wanted = new Set(names.map(foldName))
  const ids = [...wanted].filter((name) => uuid.test(name))
  const needed = abilitiesFor({ kind: 'compare', field: 'id', comparison: 'eq', value: '' })
  if ([...needed, 'or'].every((ability) => proofs[ability] === true) && ids.length > 0) {
    const asked = await askByIds(ledger, ids, onRead)
    for (const [name, payment] of asked.found) byName.set(name, payment)
    // A handle that looks like an id is not to be expected; one that does is found by the walk below, if there is one.
    const others = [...wanted].filter((name) => !byName.has(name) && (!asked.isWhole || !uuid.test(name)))
    if (others.length === 0) return { byName, isWhole: true, failure: null }
  }
  const left = new Set([...wanted].filter((name) => !byName.has(name)))
  if (left.size === 0) return { byName, isWhole: true, failure: null }
  const search = new Search(left)
  const end = await walkList(ledger, undefined, async (payments) => {
    note(byName, left, payments)
    search.meet(payments)
    await onRead(payments.length)
    return search.isDone
  })
  const isWhole = end === 'whole' || end === 'enough'
  return { byName, isWhole, failure: isWhole ? null : end }
}
