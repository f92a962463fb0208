import { idKey, isUuid } from '@/lib/contract/ids'
import type { Payment } from '@/lib/contract/payments'
import { filterPayments } from '../cancellations/filter-payments'
import type { Ledger } from '../cancellations/ledger'
import { readPatiently } from '../cancellations/read-list'
import { type WalkedPage, walkPatiently } from '../cancellations/walk-pages'
import { limitConcurrency } from '../limit-concurrency'

export type KnownPayment = Payment & { id: string }

const perQuestion = 50
const questionsAtOnce = 4

function hasId(payment: Payment): payment is KnownPayment {
  return payment.id !== null
}

/** The names of a list, and the payments met so far that they name: by id as `idKey` has it, by handle exactly. */
class NamedPayments {
  readonly #ids: ReadonlySet<string>
  readonly #handles: ReadonlySet<string>
  readonly #byId = new Map<string, KnownPayment>()
  readonly #byHandle = new Map<string, KnownPayment>()
  /** Names that no id met so far is. */
  readonly #open: Set<string>
  #areIdsUuids = true

  constructor(names: readonly string[]) {
    this.#ids = new Set(names.map(idKey))
    this.#handles = new Set(names)
    this.#open = new Set(this.#ids)
  }

  meet(payments: readonly Payment[]): void {
    for (const payment of payments.filter(hasId)) {
      const { id, handle } = payment
      if (handle !== null && this.#handles.has(handle) && !this.#byHandle.has(handle))
        this.#byHandle.set(handle, payment)
      this.#areIdsUuids &&= isUuid(id)
      const key = idKey(id)
      if (!this.#ids.has(key)) continue
      this.#byId.set(key, payment)
      this.#open.delete(key)
    }
  }

  /** A value that is the id of a record is an id, else it is a handle (decision 0005). */
  find(name: string): KnownPayment | undefined {
    return this.#byId.get(idKey(name)) ?? this.#byHandle.get(name)
  }

  get size(): number {
    return this.#byId.size + this.#byHandle.size
  }

  /**
   * Whether nothing more is to be met, of names that may exist at all. What was met as a handle may be the id of a
   * payment that comes later (decision 0005), unless no id looks like it.
   */
  isDone(mayExist: (name: string) => boolean = () => true): boolean {
    const isSettled = (name: string) => this.#areIdsUuids && !isUuid(name) && this.#byHandle.has(name)
    return [...this.#open].every((name) => isSettled(name) || !mayExist(name))
  }
}

/** Asks for UUIDs by filters; answers whether those that were not found do not exist. */
async function askByIds(
  ledger: Ledger,
  ids: readonly string[],
  { named, onRead }: { named: NamedPayments; onRead: (count: number) => Promise<void> },
): Promise<boolean> {
  let isWhole = true
  const gate = limitConcurrency(questionsAtOnce, Number.POSITIVE_INFINITY)
  const ask = async (part: readonly string[]) => {
    const filtered = await filterPayments(ledger, part, (query) => readPatiently(ledger, query))
    if (filtered.kind !== 'page' || !filtered.isWhole) isWhole = false
    if (filtered.kind === 'page') named.meet(filtered.entries)
    await onRead(part.length)
  }
  const parts = Array.from({ length: Math.ceil(ids.length / perQuestion) }, (_, index) =>
    ids.slice(index * perQuestion, (index + 1) * perQuestion),
  )
  // The first alone: where it shows that the filter is not honoured, the others are not sent.
  const [first, ...others] = parts
  if (first) await ask(first)
  await Promise.all(others.map((part) => gate(() => ask(part))))
  return isWhole
}

/** The payments that were found; `failure`: why there may be some that were not. */
export type Found = { named: Pick<NamedPayments, 'find' | 'size'>; failure: string | null }

/**
 * Finds payments by their ids or handles: ids by filters of fifty where those were proven, all others in one walk
 * of the list, which ends as soon as all are found. `onRead` is told how many more entries were read.
 */
export async function findListed(
  ledger: Ledger,
  names: readonly string[],
  onRead: (count: number) => Promise<void>,
): Promise<Found> {
  const named = new NamedPayments(names)
  const ids = [...new Map(names.filter(isUuid).map((name) => [idKey(name), name])).values()]
  const proofs = await ledger.capabilities.read()
  if (proofs['eq:id'] === true && ids.length > 0) {
    const isWhole = await askByIds(ledger, ids, { named, onRead })
    // A handle that looks like an id is not to be expected; one that does is found by the walk below, if there is one.
    if (named.isDone((name) => !isWhole || !isUuid(name))) return { named, failure: null }
  }
  if (named.isDone()) return { named, failure: null }
  const take = async ({ entries }: WalkedPage) => {
    named.meet(entries)
    await onRead(entries.length)
    return named.isDone()
  }
  const { kind } = await walkPatiently(ledger, { take })
  return { named, failure: kind === 'whole' || kind === 'enough' ? null : kind }
}
