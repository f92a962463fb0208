import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import { MAX_BULK_PAYMENTS } from '@/lib/api-contract/limits'
import { explainSegment } from '@/lib/api-contract/path-segment'
import type { Payment } from '@/lib/api-contract/payments'
import type { BulkPaymentInfo, BulkRequest, BulkVerdict } from '@/lib/domain/cancellations/bulk-cancellation'
import { canonicalIdList } from '@/lib/domain/cancellations/bulk-list'
import type { SeenPayment } from '@/lib/domain/cancellations/cancellation'
import { idKey, isUuid } from '@/lib/domain/ids'
import { capabilitiesFor, type CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import { toSeenPayment } from '../cancellations/guard'
import { classifyState, type Ledger, type LedgerRules } from '../cancellations/ledger'
import { type ListedPage, paginateWithRetry, readPageWithRetry } from '../cancellations/payment-pages'
import { filterPayments } from '../cancellations/read-payment'
import { limitConcurrency } from '../runtime/limits'
import { SeenRows } from '../upstream/seen-rows'

/** SHA-256 of the sorted ids of a list, in hex (BK-03). */
export function hashList(paymentIds: readonly string[]): string {
  return createHash('sha256').update(canonicalIdList(paymentIds), 'utf8').digest('hex')
}

/** A row of a list as it is stored. */
export type ListRow = {
  given: string
  reason: string | null
  paymentId: string | null
  verdict: BulkVerdict
  seen: SeenPayment | null
  facts: BulkPaymentInfo | null
}

const verdicts = {
  cancellable: 'cancellable',
  cancelled: 'already-cancelled',
  final: 'too-late',
  other: 'not-cancellable',
} as const

/** What the store can keep of words: well-formed, without NUL, bounded. */
export function keepText(text: string | null | undefined): string | null {
  return text ? text.toWellFormed().replaceAll('\0', '').slice(0, 300) : null
}

/** A row of which no payment is known. */
export function toMissingRow(
  { given, reason }: { given: string; reason: string | null },
  verdict: 'unknown' | 'malformed' | 'duplicate',
): ListRow {
  return { given: keepText(given) ?? '', reason, paymentId: null, verdict, seen: null, facts: null }
}

/** A row and the payment that it names, as that is now. */
export function toListRow(
  { given, reason }: { given: string; reason: string | null },
  payment: Payment & { id: string },
  rules: LedgerRules,
): ListRow {
  const { reference, handle, customer, mandate, scheduleDate, test } = payment
  return {
    given: keepText(given) ?? '',
    reason,
    paymentId: payment.id,
    verdict: verdicts[classifyState(payment.status, rules)],
    seen: toSeenPayment(payment),
    facts: {
      reference: keepText(reference ?? handle),
      payer: keepText(customer?.name),
      scheme: keepText(mandate?.scheme),
      scheduleDate: keepText(scheduleDate),
      test,
    },
  }
}

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
    const filtered = await filterPayments(ledger, part, (query) => readPageWithRetry(ledger, query))
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
  const take = async ({ entries }: ListedPage) => {
    named.meet(entries)
    await onRead(entries.length)
    return named.isDone()
  }
  const { kind } = await paginateWithRetry(ledger, { take })
  return { named, failure: kind === 'whole' || kind === 'enough' ? null : kind }
}

/** The rows of a list; `failure` says why there can be none, `doubt` that some that exist may not have been found. */
export type MadeRows = { rows: ListRow[]; failure: string | null; doubt: string | null }

/** Rows between which the event loop turns. */
const batch = 100

type Ports = { proofs: CapabilityProofs; onRead: (count: number) => Promise<void> }

async function readGiven(ledger: Ledger, given: (BulkRequest & { kind: 'list' })['rows'], ports: Ports) {
  const entries = given.map((row) => ({ ...row, given: row.given.trim() }))
  const names = entries.filter(({ given: name }) => explainSegment(name) === null).map(({ given: name }) => name)
  const { named, failure } = await findListed(ledger, names, ports.onRead)
  const taken = new Set<string>()
  const rows = entries.map((entry): ListRow => {
    if (explainSegment(entry.given) !== null) return toMissingRow(entry, 'malformed')
    const payment = named.find(entry.given)
    const key = payment ? idKey(payment.id) : `name ${idKey(entry.given)}`
    if (taken.has(key)) return toMissingRow(entry, 'duplicate')
    taken.add(key)
    return payment ? toListRow(entry, payment, ledger.rules) : toMissingRow(entry, 'unknown')
  })
  const hasUnknown = rows.some(({ verdict }) => verdict === 'unknown')
  // Nothing could be read at all: that is no list of unknown payments.
  if (failure === 'failed' && named.size === 0) return { rows: [], failure: 'list-unreadable', doubt: null }
  return { rows, failure: null, doubt: hasUnknown ? failure : null }
}

type Gathered = { rows: Map<string, ListRow>; isContradicted: boolean; isTooLong: boolean; met: SeenRows }

async function gather(ledger: Ledger, filter: Filter | null, asked: string | undefined, { onRead }: Ports) {
  const found: Gathered = { rows: new Map(), isContradicted: false, isTooLong: false, met: new SeenRows() }
  const take = async ({ entries: payments }: ListedPage) => {
    found.met.meet(payments)
    for (const [at, payment] of payments.entries()) {
      // A service may send thousands at once, and others are served by this process too.
      if (at % batch === 0) await nextTurn()
      const { id } = payment
      if (id === null) continue
      if (filter && !matchesFilter(filter, payment)) {
        found.isContradicted ||= asked !== undefined
        continue
      }
      found.rows.set(idKey(id), toListRow({ given: id, reason: null }, { ...payment, id }, ledger.rules))
    }
    found.isTooLong = found.rows.size > MAX_BULK_PAYMENTS
    await onRead(payments.length)
    return found.isTooLong || found.isContradicted
  }
  const end = await paginateWithRetry(ledger, { filter: asked, take })
  return { ...found, end: end.kind, asked }
}

async function readMatching(ledger: Ledger, filter: Filter | null, ports: Ports): Promise<MadeRows> {
  const isProven = filter !== null && capabilitiesFor(filter).every((ability) => ports.proofs[ability] === true)
  let gathered = await gather(ledger, filter, isProven ? formatFilter(filter) : undefined, ports)
  // The service does not do what it was proven to do: all of its payments are looked at instead.
  if (gathered.isContradicted || (isProven && gathered.end === 'refused'))
    gathered = await gather(ledger, filter, undefined, ports)
  // What is met twice has moved while the list was walked, and another may have passed unseen. Once may be chance.
  if (gathered.end === 'whole' && gathered.met.hasMoved) gathered = await gather(ledger, filter, gathered.asked, ports)
  if (gathered.isTooLong) return { rows: [], failure: 'too-many', doubt: null }
  if (gathered.end === 'whole' && gathered.met.hasMoved) return { rows: [], failure: 'list-incomplete', doubt: null }
  if (gathered.end !== 'whole')
    return { rows: [], failure: gathered.end === 'failed' ? 'list-unreadable' : gathered.end, doubt: null }
  return { rows: [...gathered.rows.values()], failure: null, doubt: null }
}

/**
 * Makes the rows of a list. Of given ids and handles each is a row, with what it is; of a filter every payment
 * that matches is one, and an incomplete walk makes no list at all (BK-11). Never throws for the service.
 */
export function makeRows(ledger: Ledger, request: BulkRequest, ports: Ports): Promise<MadeRows> {
  return request.kind === 'list' ? readGiven(ledger, request.rows, ports) : readMatching(ledger, request.filter, ports)
}
