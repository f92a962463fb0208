import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import { MAX_BULK_PAYMENTS } from '@/lib/api-contract/limits'
import { explainSegment } from '@/lib/api-contract/path-segment'
import type { Payment } from '@/lib/api-contract/payments'
import type {
  BulkPaymentInfo,
  BulkRequest,
  BulkVerdict,
  PaymentNames,
} from '@/lib/domain/cancellations/bulk-cancellation'
import { canonicalIdList, pickPaymentNames } from '@/lib/domain/cancellations/bulk-list'
import type { SeenPayment } from '@/lib/domain/cancellations/cancellation'
import { idKey, isUuid } from '@/lib/domain/ids'
import { capabilitiesFor, type CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import { isStorable } from '@/lib/domain/text/is-storable'
import { toSeenPayment } from '../cancellations/guard'
import { classifyState, type Ledger, type LedgerRules } from '../cancellations/ledger'
import { type ListedPage, paginateWithRetry, readPageWithRetry } from '../cancellations/payment-pages'
import { filterPayments } from '../cancellations/read-payment'
import { limitConcurrency } from '../runtime/limits'
import { toStorable } from '../store/to-storable'

/** SHA-256 of the sorted ids of a list, in hex (BK-03). */
export function hashList(paymentIds: readonly string[]): string {
  return createHash('sha256').update(canonicalIdList(paymentIds), 'utf8').digest('hex')
}

export type ListRow = {
  given: string
  reason: string | null
  paymentId: string | null
  verdict: BulkVerdict
  seen: SeenPayment | null
  facts: BulkPaymentInfo | null
}

/** What a list without a name of its own is called by: the payments that can be cancelled, or all rows where none can. */
export function nameByPayments(rows: readonly Pick<ListRow, 'given' | 'facts' | 'verdict'>[]): PaymentNames {
  const part = rows.filter(({ verdict }) => verdict === 'cancellable')
  const named = part.length > 0 ? part : rows
  return pickPaymentNames(named.map(({ given, facts }) => facts?.reference?.trim() || given))
}

const VERDICTS = {
  cancellable: 'cancellable',
  cancelled: 'already-cancelled',
  final: 'too-late',
  other: 'not-cancellable',
} as const

/** Truncates and cleans text for storage; cutting may leave a lone surrogate. */
export function toStorableText(text: string | null | undefined): string | null {
  return text ? toStorable(text.slice(0, 300)) : null
}

/** A row without a known payment. */
export function toMissingRow(
  { given, reason }: { given: string; reason: string | null },
  verdict: 'unknown' | 'malformed' | 'duplicate' | 'ambiguous' | 'unstorable',
): ListRow {
  return { given: toStorableText(given) ?? '', reason, paymentId: null, verdict, seen: null, facts: null }
}

/** A row with the payment it names, in its current state. One whose id cannot be stored cannot be cancelled. */
export function toListRow(
  { given, reason }: { given: string; reason: string | null },
  payment: Payment & { id: string },
  rules: LedgerRules,
): ListRow {
  if (!isStorable(payment.id)) return toMissingRow({ given, reason }, 'unstorable')
  const { reference, handle, customer, mandate, scheduleDate, test } = payment
  return {
    given: toStorableText(given) ?? '',
    reason,
    paymentId: payment.id,
    verdict: VERDICTS[classifyState(payment.status, rules)],
    seen: toSeenPayment(payment),
    facts: {
      reference: toStorableText(reference?.trim() || handle),
      payer: toStorableText(customer?.name),
      scheme: toStorableText(mandate?.scheme),
      scheduleDate: toStorableText(scheduleDate),
      test,
    },
  }
}

export type KnownPayment = Payment & { id: string }

const MAX_IDS_PER_QUERY = 50
const MAX_CONCURRENT_QUERIES = 4

function hasId(payment: Payment): payment is KnownPayment {
  return payment.id !== null
}

/** Payments by a name that several may have: two of them at most, which show that it names no single one. */
class PaymentsByName {
  readonly #payments = new Map<string, Map<string, KnownPayment>>()

  add(name: string, payment: KnownPayment): void {
    const known = this.#payments.get(name) ?? new Map<string, KnownPayment>()
    const key = idKey(payment.id)
    if (known.size < 2 || known.has(key)) this.#payments.set(name, known.set(key, payment))
  }

  get(name: string): KnownPayment[] {
    return [...(this.#payments.get(name)?.values() ?? [])]
  }

  get size(): number {
    return this.#payments.size
  }
}

/** Matches a list's names with payments: ids as compared by `idKey`, handles and references exactly. */
class NamedPayments {
  readonly #names: ReadonlySet<string>
  readonly #ids: ReadonlySet<string>
  readonly #byId = new Map<string, KnownPayment>()
  readonly #byHandle = new PaymentsByName()
  readonly #byReference = new PaymentsByName()
  /** Names that match no id so far. */
  readonly #unmatched: Set<string>

  constructor(names: readonly string[]) {
    this.#names = new Set(names)
    this.#ids = new Set(names.map(idKey))
    this.#unmatched = new Set(this.#ids)
  }

  add(payments: readonly Payment[]): void {
    for (const payment of payments.filter(hasId)) {
      const { id, handle, reference } = payment
      const referred = reference?.trim() ?? ''
      if (this.#names.has(referred)) this.#byReference.add(referred, payment)
      if (handle !== null && this.#names.has(handle)) this.#byHandle.add(handle, payment)
      const key = idKey(id)
      if (!this.#ids.has(key)) continue
      this.#byId.set(key, payment)
      this.#unmatched.delete(key)
    }
  }

  /**
   * The payments that a name means: that with the id, else those with the handle (decision 0005), else those with the
   * reference. `isWhole`: the list was read to its end. Only then handles and references count: a later payment may have
   * the same one, or what is one here for its id.
   */
  find(name: string, isWhole: boolean): KnownPayment[] {
    const identified = this.#byId.get(idKey(name))
    if (identified) return [identified]
    if (!isWhole) return []
    const handled = this.#byHandle.get(name)
    return handled.length > 0 ? handled : this.#byReference.get(name)
  }

  get size(): number {
    return this.#byId.size + this.#byHandle.size + this.#byReference.size
  }

  get unmatched(): ReadonlySet<string> {
    return this.#unmatched
  }

  /** Whether no further payment could change the result: each name is a known id. */
  isDone(): boolean {
    return this.#unmatched.size === 0
  }
}

/** Finds UUIDs by filter. Returns whether those not found certainly do not exist. */
async function findByIds(
  ledger: Ledger,
  ids: readonly string[],
  { named, onRead }: { named: NamedPayments; onRead: (count: number) => Promise<void> },
): Promise<boolean> {
  let isWhole = true
  const limit = limitConcurrency(MAX_CONCURRENT_QUERIES, Number.POSITIVE_INFINITY)
  const find = async (part: readonly string[]) => {
    const filtered = await filterPayments(ledger, part, (query) =>
      readPageWithRetry(ledger, query, { isWaitedFor: true, onRetry: () => onRead(0) }),
    )
    if (filtered.kind !== 'page' || !filtered.isWhole) isWhole = false
    if (filtered.kind === 'page') named.add(filtered.entries)
    await onRead(part.length)
  }
  const parts = Array.from({ length: Math.ceil(ids.length / MAX_IDS_PER_QUERY) }, (_, index) =>
    ids.slice(index * MAX_IDS_PER_QUERY, (index + 1) * MAX_IDS_PER_QUERY),
  )
  // The first alone: if it shows that the filter is ignored, the others are not sent.
  const [first, ...others] = parts
  if (first) await find(first)
  await Promise.all(others.map((part) => limit(() => find(part))))
  return isWhole
}

/** The payments found. `failure`: why others may have been missed; `isWhole`: the list was read to its end. */
export type Found = {
  named: Pick<NamedPayments, 'find' | 'size'>
  failure: string | null
  isWhole: boolean
}

/**
 * Finds payments by ids, handles or references: ids by filters of MAX_IDS_PER_QUERY if those are proven, all others by
 * reading the list, to its end if a name is no id (decision 0029). `onRead` receives the number of further entries read;
 * 0: a page is asked for again.
 */
export async function findNamedPayments(
  ledger: Ledger,
  names: readonly string[],
  onRead: (count: number) => Promise<void>,
): Promise<Found> {
  const named = new NamedPayments(names)
  const ids = [...new Map(names.filter(isUuid).map((name) => [idKey(name), name])).values()]
  const proofs = await ledger.capabilities.read()
  if (proofs['eq:id'] === true && ids.length > 0) {
    const isWhole = await findByIds(ledger, ids, { named, onRead })
    // A handle that looks like a UUID is unlikely; it is found only if the list is read below anyway.
    if (isWhole && [...named.unmatched].every(isUuid)) return { named, failure: null, isWhole: false }
  }
  if (named.isDone()) return { named, failure: null, isWhole: false }
  const read = async (orderby?: string) => {
    const take = async ({ entries }: ListedPage) => {
      named.add(entries)
      await onRead(entries.length)
      return named.isDone()
    }
    return (await paginateWithRetry(ledger, { orderby, take, onRetry: () => onRead(0) })).kind
  }
  let end = await read()
  // Once may be chance. In the order of creation new payments come to the end, and move none that is yet to be read.
  if (end === 'list-moved') {
    const again = await read(proofs['order:createdAt'] === true ? 'createdAt' : undefined)
    if (again !== 'refused') end = again
  }
  return { named, failure: end === 'whole' || end === 'enough' ? null : end, isWhole: end === 'whole' }
}

/** `failure`: why no list could be made. `doubt`: why existing payments may be missing from it. */
export type ListResult = { rows: ListRow[]; failure: string | null; doubt: string | null }

/** Rows between yields to the event loop. */
const ROWS_PER_YIELD = 100

type ListOptions = { proofs: CapabilityProofs; onRead: (count: number) => Promise<void> }

async function listGiven(ledger: Ledger, given: (BulkRequest & { kind: 'list' })['rows'], options: ListOptions) {
  const entries = given.map((row) => ({ ...row, given: row.given.trim() }))
  const names = entries.map(({ given: name }) => name).filter((name) => name !== '')
  const { named, failure, isWhole } = await findNamedPayments(ledger, names, options.onRead)
  const taken = new Set<string>()
  const rows = entries.map((entry): ListRow => {
    const [payment, ...others] = named.find(entry.given, isWhole)
    if (others.length > 0) return toMissingRow(entry, 'ambiguous')
    const key = payment ? idKey(payment.id) : `name ${idKey(entry.given)}`
    if (taken.has(key)) return toMissingRow(entry, 'duplicate')
    taken.add(key)
    if (payment) return toListRow(entry, payment, ledger.rules)
    // What can't be an id or a handle may be a reference, such as `2026/17`, of a payment that was not met.
    return toMissingRow(entry, failure !== null || explainSegment(entry.given) === null ? 'unknown' : 'malformed')
  })
  const hasUnknown = rows.some(({ verdict }) => verdict === 'unknown')
  // Nothing could be read at all: that is not a list of unknown payments.
  if (failure === 'failed' && named.size === 0) return { rows: [], failure: 'list-unreadable', doubt: null }
  return { rows, failure: null, doubt: hasUnknown ? failure : null }
}

type CollectedRows = { rows: Map<string, ListRow>; isContradicted: boolean; isTooLong: boolean }

async function collectRows(
  ledger: Ledger,
  filter: Filter | null,
  sentFilter: string | undefined,
  { onRead }: ListOptions,
) {
  const collected: CollectedRows = { rows: new Map(), isContradicted: false, isTooLong: false }
  const take = async ({ entries: payments }: ListedPage) => {
    for (const [at, payment] of payments.entries()) {
      // A page may have thousands of entries, and this process serves others, too.
      if (at % ROWS_PER_YIELD === 0) await nextTurn()
      const { id } = payment
      if (id === null) continue
      if (filter && !matchesFilter(filter, payment)) {
        collected.isContradicted ||= sentFilter !== undefined
        continue
      }
      collected.rows.set(idKey(id), toListRow({ given: id, reason: null }, { ...payment, id }, ledger.rules))
    }
    collected.isTooLong = collected.rows.size > MAX_BULK_PAYMENTS
    await onRead(payments.length)
    return collected.isTooLong || collected.isContradicted
  }
  const end = await paginateWithRetry(ledger, { filter: sentFilter, take, onRetry: () => onRead(0) })
  return { ...collected, end, sentFilter }
}

async function listMatching(ledger: Ledger, filter: Filter | null, options: ListOptions): Promise<ListResult> {
  const isProven = filter !== null && capabilitiesFor(filter).every((capability) => options.proofs[capability] === true)
  let collected = await collectRows(ledger, filter, isProven ? formatFilter(filter) : undefined, options)
  // The upstream API no longer does what it was proven to do: read all payments instead.
  if (collected.isContradicted || (isProven && collected.end.kind === 'refused'))
    collected = await collectRows(ledger, filter, undefined, options)
  // A payment seen twice moved during pagination, so another may have been missed. Once may be chance: read again.
  if (collected.end.kind === 'list-moved') collected = await collectRows(ledger, filter, collected.sentFilter, options)
  if (collected.isTooLong) return { rows: [], failure: 'too-many', doubt: null }
  const { kind } = collected.end
  if (kind !== 'whole') return { rows: [], failure: kind === 'failed' ? 'list-unreadable' : kind, doubt: null }
  return { rows: [...collected.rows.values()], failure: null, doubt: null }
}

/**
 * Makes the rows of a list: one for each given id or handle, or for each payment that matches the filter. If that
 * cannot be read completely, no list is made (BK-11). Never throws for upstream errors.
 */
export function makeRows(ledger: Ledger, request: BulkRequest, options: ListOptions): Promise<ListResult> {
  return request.kind === 'list'
    ? listGiven(ledger, request.rows, options)
    : listMatching(ledger, request.filter, options)
}
