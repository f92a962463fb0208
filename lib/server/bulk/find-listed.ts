import type { Payment } from '@/lib/contract/payments'
import { filterPayments } from '../cancellations/filter-payments'
import type { Ledger } from '../cancellations/ledger'
import { readPatiently } from '../cancellations/read-list'
import { type WalkedPage, walkPatiently } from '../cancellations/walk-pages'
import { limitConcurrency } from '../limit-concurrency'

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
    const filtered = await filterPayments(ledger, part, (query) => readPatiently(ledger, query))
    const results = filtered.kind === 'page' ? filtered.entries : []
    if (filtered.kind !== 'page' || !filtered.isWhole) isWhole = false
    note(found, new Set(part), results)
    await onRead(part.length)
  }
  const parts = Array.from({ length: Math.ceil(ids.length / perQuestion) }, (_, index) =>
    ids.slice(index * perQuestion, (index + 1) * perQuestion),
  )
  // The first alone: where it shows that the filter is not honoured, the others are not sent.
  const [first, ...others] = parts
  if (first) await ask(first)
  await Promise.all(others.map((part) => gate(() => ask(part))))
  return { found, isWhole }
}

/**
 * Finds payments by their ids or handles: ids by filters of fifty where those were proven, all others in one walk
 * of the list, which ends as soon as all are found. `onRead` is told how many more entries were read.
 */
export async function findListed(
  ledger: Ledger,
  names: readonly string[],
  onRead: (count: number) => Promise<void>,
): Promise<Found> {
  const byName = new Map<string, KnownPayment>()
  const wanted = new Set(names.map(foldName))
  const ids = [...wanted].filter((name) => uuid.test(name))
  const proofs = await ledger.capabilities.read()
  if (proofs['eq:id'] === true && ids.length > 0) {
    const asked = await askByIds(ledger, ids, onRead)
    for (const [name, payment] of asked.found) byName.set(name, payment)
    // A handle that looks like an id is not to be expected; one that does is found by the walk below, if there is one.
    const others = [...wanted].filter((name) => !byName.has(name) && (!asked.isWhole || !uuid.test(name)))
    if (others.length === 0) return { byName, isWhole: true, failure: null }
  }
  const left = new Set([...wanted].filter((name) => !byName.has(name)))
  if (left.size === 0) return { byName, isWhole: true, failure: null }
  const search = new Search(left)
  const take = async ({ entries }: WalkedPage) => {
    note(byName, left, entries)
    search.meet(entries)
    await onRead(entries.length)
    return search.isDone
  }
  const { kind } = await walkPatiently(ledger, { take })
  const isWhole = kind === 'whole' || kind === 'enough'
  return { byName, isWhole, failure: isWhole ? null : kind }
}
