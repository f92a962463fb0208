import { createHash } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { writeCsvRow } from '@/lib/domain/csv'
import { parseExactMoney } from '@/lib/domain/amounts/exact-amounts'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { pickExportColumns } from '@/lib/domain/lists/export-columns'
import type { ExportSum } from '@/lib/domain/lists/list-export'
import { followPages, type ListPage, MAX_PAGES_WITHOUT_NEW_ROWS, type NextPage } from '@/lib/domain/lists/list-pages'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import { isStorable } from '@/lib/domain/text/is-storable'
import type { AmountUnit } from '@/lib/domain/amounts/money'
import type { Session } from '../auth/session'
import { findMemberSession } from '../auth/member-session'
import { announceExport } from '../changes/announce-changes'
import { AppError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { getSettings } from '../runtime/settings'
import { listExports } from '../store/export-schema'
import { toStorable } from '../store/to-storable'
import { orStoreUnavailable, resolveCommit } from '../store/store'
import { getConnection } from '../upstream/connection'
import { SeenRows } from '../upstream/seen-rows'
import { endExport, type ExportEnd } from './end-export'
import { storePart, readParts } from './export-parts'
import { readPage } from './read-page'
import { exportColumns, type ExportRow, getOwnLeases, isSameLease, LEASE_MS, nextLease } from './queries'
import * as m from '@/lib/messages/m'

type SummableRow = { amount?: unknown; currency?: unknown; test?: unknown }

function readAmount(amount: unknown): number | string | null {
  return typeof amount === 'number' || typeof amount === 'string' ? amount : null
}

/** Adds rows to the exact sums per currency and mode. An amount that cannot be read makes its sum null. */
export function addToSums(sums: readonly ExportSum[], rows: readonly object[], unit: AmountUnit): ExportSum[] {
  const totals = new Map(sums.map((sum) => [`${sum.mode} ${sum.currency}`, { ...sum }]))
  for (const one of rows) {
    if (!('amount' in one)) continue
    const row: SummableRow = one
    const currency = typeof row.currency === 'string' ? toStorable(row.currency) : ''
    const mode = row.test === true ? 'test' : row.test === false ? 'live' : 'not said'
    const key = `${mode} ${currency}`
    const sum: ExportSum = totals.get(key) ?? { currency, mode, count: 0, minor: '0' }
    const money = parseExactMoney(readAmount(row.amount), currency, unit)
    sum.count += 1
    sum.minor = money && sum.minor !== null ? String(BigInt(sum.minor) + BigInt(money.minor)) : null
    totals.set(key, sum)
  }
  return [...totals.values()].toSorted(
    (left, right) => left.currency.localeCompare(right.currency, 'en') || left.mode.localeCompare(right.mode, 'en'),
  )
}

/** Stored parts that are read again between renewals of the lease, in far less time than it lasts. */
const PARTS_PER_RENEWAL = 200

/** Reads the stored parts into the hash and the marks. Throws AppError 'secret-locked' (see readParts) and store errors. */
async function recallParts(db: Database, progress: ExportProgress): Promise<void> {
  const { row, hash, met } = progress
  let parts = 0
  for await (const { text, marks } of readParts(db, row)) {
    hash.update(text)
    met.recall(marks ?? '')
    parts += 1
    if (parts % PARTS_PER_RENEWAL > 0) continue
    // Whether the export was stopped or taken over meanwhile says the first page; the hash of a stopped one needs all parts.
    const isOurs = and(isSameLease(row), eq(listExports.state, 'running'))
    await db.update(listExports).set({ leaseUntil: nextLease() }).where(isOurs)
  }
  progress.isRecalled = true
}

/** Rows between yields to the event loop. */
const ROWS_PER_YIELD = 100

type ExportProgress = {
  row: ExportRow
  /** Of all stored parts once `isRecalled`. */
  hash: ReturnType<typeof createHash>
  met: SeenRows
  isRecalled: boolean
  /** The text of the page under way. It may be stored although the reply to its COMMIT was lost. */
  page: string
}

/**
 * Stores a page's rows and the next cursor, or with the last page the end, for without a cursor an export begins anew.
 * False if the export was stopped or another process took over.
 */
async function storePage(
  db: Database,
  session: Session,
  progress: ExportProgress,
  page: ListPage<ListId>,
  next: NextPage,
): Promise<boolean> {
  const { row, met } = progress
  const marks = met.meet(page.results)
  const mayGoOn = next.kind === 'more' && isStorable(next.after) && met.pagesWithoutNewRows < MAX_PAGES_WITHOUT_NEW_ROWS
  const after = mayGoOn ? next.after : null
  const { asked, rest, columns, list, zone, flavour } = row.query
  const { amounts } = getConnection(session.scope.connectionId).rules
  const context = { amounts, schemeZone: getSettings().SCHEME_ZONE, zone }
  const chosenColumns = pickExportColumns(list, columns)
  const rows: typeof page.results = []
  let csv = ''
  for (const [at, one] of page.results.entries()) {
    // A page may have thousands of entries, and this process serves others, too.
    if (at % ROWS_PER_YIELD === 0) await nextTurn()
    if ((asked && !matchesFilter(asked, one)) || (rest && !matchesFilter(rest, one))) continue
    rows.push(one)
    csv += writeCsvRow(
      chosenColumns.flatMap(({ cells }) => cells(one, context)),
      flavour,
    )
  }
  const text = toStorable(csv)
  progress.page = text
  const sha256 = after === null ? progress.hash.copy().update(text).digest('hex') : null
  const store = async (tx: Database): Promise<ExportRow | undefined> => {
    const [updated] = await tx
      .update(listExports)
      .set({
        parts: row.parts + 1,
        rows: row.rows + rows.length,
        leftOut: row.leftOut + page.results.length - rows.length,
        unreadable: row.unreadable + page.unreadable,
        sums: addToSums(row.sums, rows, amounts),
        bytes: row.bytes + Buffer.byteLength(text),
        after,
        resumptions: 0,
        changedAt: new Date(),
        leaseUntil: nextLease(),
      })
      .where(and(isSameLease(row), eq(listExports.parts, row.parts), eq(listExports.state, 'running')))
      .returning(exportColumns)
    if (!updated) {
      // By an earlier attempt, the reply to whose COMMIT was lost.
      const isStored = and(isSameLease(row), eq(listExports.parts, row.parts + 1))
      const [alreadyStored] = await tx.select(exportColumns).from(listExports).where(isStored)
      return alreadyStored
    }
    await storePart(tx, { exportId: row.id, part: row.parts, text, marks })
    if (after !== null) await announceExport(tx, row)
    // Only where the provider says that it ends, and no row came twice, is the list complete.
    else
      await endExport(
        tx,
        session.email,
        { row: updated, sha256 },
        { reason: next.kind === 'end' && !met.hasMoved ? null : 'list-incomplete' },
      )
    return updated
  }
  const stored = await orStoreUnavailable(() =>
    resolveCommit(() => db.transaction(store), m.refusals_thisMayHaveBeenDone()),
  )
  if (!stored) return false
  progress.row = stored
  progress.hash.update(text)
  return true
}

/** Reads pages until the list ends, or returns why it cannot be read further; `progress` holds what is stored. */
async function exportPages(db: Database, session: Session, progress: ExportProgress): Promise<ExportEnd | null> {
  await orStoreUnavailable(() => recallParts(db, progress))
  const follow = followPages()
  const author = { connectionId: session.scope.connectionId, userId: session.userId }
  for (;;) {
    // The user may have lost the membership or the account since.
    if (!(await orStoreUnavailable(() => findMemberSession(db, author)))) return { reason: 'author-left' }
    const page = await readPage(db, session, progress.row)
    if (!page) return { reason: 'by-person' }
    const next = follow(page.continuation)
    if (!(await storePage(db, session, progress, page, next))) return { reason: 'by-person' }
    if (progress.row.after === null) return null
  }
}

/** Stores the end of an export that cannot be read further, unless it has ended or another process has taken over. */
async function stopReading(db: Database, session: Session, progress: ExportProgress, end: ExportEnd): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.select(exportColumns).from(listExports).where(isSameLease(progress.row)).for('update')
    // Its lease ends with it.
    if (!row || row.leaseUntil === null) return
    const hash = progress.hash.copy()
    if (row.parts > progress.row.parts) hash.update(progress.page)
    await endExport(tx, session.email, { row, sha256: progress.isRecalled ? hash.digest('hex') : null }, end)
  })
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** Repeats `attempt` while it fails, for as long as a lease: a store that restarts is back in seconds. */
async function repeatForLease(attempt: () => Promise<void>): Promise<void> {
  const until = performance.now() + LEASE_MS
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() + pause > until) throw error
      await wait(pause)
    }
  }
}

/** Errors of an export that are the desk's own: their causes are for whoever runs it. */
const ownErrors = new Set<string>(['store-unavailable', 'outcome-unknown', 'secret-locked'])

/** Writes an export page by page until the list ends or cannot be read further. Never throws. */
export async function runExport(db: Database, session: Session, started: ExportRow): Promise<void> {
  const ownLeases = getOwnLeases()
  const lease = started.holder ?? ''
  if (ownLeases.has(lease)) return
  ownLeases.add(lease)
  const hash = createHash('sha256')
  const progress: ExportProgress = { row: started, hash, met: new SeenRows(), isRecalled: false, page: '' }
  const logFailure = (error: unknown) =>
    log.error({ event: 'export-failed', exportId: started.id, error: describeError(error) })
  try {
    const end = await exportPages(db, session, progress).catch((error: unknown): ExportEnd => {
      const reason = error instanceof AppError ? error.code : 'internal'
      if (reason === 'internal' || ownErrors.has(reason)) logFailure(error)
      return { reason }
    })
    if (end) await repeatForLease(() => stopReading(db, session, progress, end))
  } catch (error) {
    // Nobody works on it any more: it counts as interrupted when its lease is over.
    logFailure(error)
  } finally {
    ownLeases.delete(lease)
  }
}
