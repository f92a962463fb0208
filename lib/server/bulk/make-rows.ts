import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Proofs } from '@/lib/contract/ability'
import { abilitiesFor } from '@/lib/contract/ability'
import type { BulkRequest } from '@/lib/contract/bulk'
import { bulkLimit } from '@/lib/contract/bulk-limit'
import { type Filter, formatFilter } from '@/lib/contract/filter'
import { idKey } from '@/lib/contract/ids'
import { matchFilter } from '@/lib/contract/match-filter'
import { explainSegment } from '@/lib/contract/path-segment'
import type { Ledger } from '../cancellations/ledger'
import { type WalkedPage, walkPatiently } from '../cancellations/walk-pages'
import { MetRows } from '../exports/met-rows'
import { findListed } from './find-listed'
import { judgeMissing, judgePayment, type ListRow } from './judge-payment'

/** The rows of a list; `failure` says why there can be none, `doubt` that some that exist may not have been found. */
export type MadeRows = { rows: ListRow[]; failure: string | null; doubt: string | null }

/** Rows between which the event loop turns. */
const batch = 100

type Ports = { proofs: Proofs; onRead: (count: number) => Promise<void> }

async function readGiven(ledger: Ledger, given: (BulkRequest & { kind: 'list' })['rows'], ports: Ports) {
  const entries = given.map((row) => ({ ...row, given: row.given.trim() }))
  const names = entries.filter(({ given: name }) => explainSegment(name) === null).map(({ given: name }) => name)
  const { named, failure } = await findListed(ledger, names, ports.onRead)
  const taken = new Set<string>()
  const rows = entries.map((entry): ListRow => {
    if (explainSegment(entry.given) !== null) return judgeMissing(entry, 'malformed')
    const payment = named.find(entry.given)
    const key = payment ? idKey(payment.id) : `name ${idKey(entry.given)}`
    if (taken.has(key)) return judgeMissing(entry, 'duplicate')
    taken.add(key)
    return payment ? judgePayment(entry, payment, ledger.rules) : judgeMissing(entry, 'unknown')
  })
  const hasUnknown = rows.some(({ verdict }) => verdict === 'unknown')
  // Nothing could be read at all: that is no list of unknown payments.
  if (failure === 'failed' && named.size === 0) return { rows: [], failure: 'list-unreadable', doubt: null }
  return { rows, failure: null, doubt: hasUnknown ? failure : null }
}

type Gathered = { rows: Map<string, ListRow>; isContradicted: boolean; isTooLong: boolean; met: MetRows }

async function gather(ledger: Ledger, filter: Filter | null, asked: string | undefined, { onRead }: Ports) {
  const found: Gathered = { rows: new Map(), isContradicted: false, isTooLong: false, met: new MetRows() }
  const take = async ({ entries: payments }: WalkedPage) => {
    found.met.meet(payments)
    for (const [at, payment] of payments.entries()) {
      // A service may send thousands at once, and others are served by this process too.
      if (at % batch === 0) await nextTurn()
      const { id } = payment
      if (id === null) continue
      if (filter && !matchFilter(filter, payment)) {
        found.isContradicted ||= asked !== undefined
        continue
      }
      found.rows.set(idKey(id), judgePayment({ given: id, reason: null }, { ...payment, id }, ledger.rules))
    }
    found.isTooLong = found.rows.size > bulkLimit
    await onRead(payments.length)
    return found.isTooLong || found.isContradicted
  }
  const end = await walkPatiently(ledger, { filter: asked, take })
  return { ...found, end: end.kind, asked }
}

async function readMatching(ledger: Ledger, filter: Filter | null, ports: Ports): Promise<MadeRows> {
  const isProven = filter !== null && abilitiesFor(filter).every((ability) => ports.proofs[ability] === true)
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
