import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import type { Database } from '@/lib/database/database'
import { writeCsvRow } from '@/lib/domain/csv'
import { parseExactMoney } from '@/lib/domain/exact-amounts'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { pickExportColumns } from '@/lib/domain/lists/export-columns'
import type { ExportSum } from '@/lib/domain/lists/list-export'
import { asListPage, followPages, type ListPage } from '@/lib/domain/lists/list-pages'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import type { AmountUnit } from '@/lib/domain/money'
import { recordActivity } from '../activity-log/append'
import type { Session } from '../auth/session'
import { isStillMember } from '../auth/sessions'
import { AppError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { getSettings } from '../runtime/settings'
import { listExports } from '../store/export-schema'
import { callEndpoint } from '../upstream/call-endpoint'
import { getConnection } from '../upstream/connection'
import { SeenRows } from '../upstream/seen-rows'
import { keepPart, readParts } from './export-parts'
import { exportColumns, type ExportRow, getRunningExports, isSameTurn, nextLease } from './queries'

type Summed = { amount?: unknown; currency?: unknown; test?: unknown }

function readAmount(amount: unknown): number | string | null {
  return typeof amount === 'number' || typeof amount === 'string' ? amount : null
}

/**
 * Adds rows to the sums per currency, live apart from test, in whole minor units without rounding. A sum
 * one of whose amounts cannot be read exactly is no number any more, and says so by null.
 */
export function addToSums(sums: readonly ExportSum[], rows: readonly object[], unit: AmountUnit): ExportSum[] {
  const totals = new Map(sums.map((sum) => [`${sum.mode} ${sum.currency}`, { ...sum }]))
  for (const one of rows) {
    if (!('amount' in one)) continue
    const row: Summed = one
    const currency = typeof row.currency === 'string' ? row.currency : ''
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

/** Why an export ended; `reason` is null when the list came to its end. */
type End = { reason: string | null }

/** Rows between which the event loop turns. */
const batch = 100

type Walk = { row: ExportRow; hash: ReturnType<typeof createHash>; met: SeenRows }

async function readPage(session: Session, { query }: ExportRow, after: string | null): Promise<ListPage<ListId>> {
  const { list, asked, order } = query
  const given = {
    limit: '100',
    ...(asked && { filter: formatFilter(asked) }),
    ...(order && { orderby: formatSortOrder([order]) }),
    ...(after !== null && { after }),
  }
  return asListPage(list, await callEndpoint<ListId>(session, list, { query: given, retry: true }))
}

/**
 * Writes what came of one page, and where it goes on, in one transaction; null when somebody has stopped it, or has
 * taken it up in this process's place.
 */
async function keepPage(
  db: Database,
  session: Session,
  { row, met }: Pick<Walk, 'row' | 'met'>,
  page: ListPage<ListId>,
): Promise<{ row: ExportRow; text: string } | null> {
  const marks = met.meet(page.results)
  const { asked, rest, columns, list, zone } = row.query
  const { amounts } = getConnection(session.scope.connectionId).rules
  const facts = { amounts, schemeZone: getSettings().SCHEME_ZONE, zone }
  const chosen = pickExportColumns(list, columns)
  const rows: typeof page.results = []
  let written = ''
  for (const [at, one] of page.results.entries()) {
    // A service may send thousands at once, and others are served by this process too.
    if (at % batch === 0) await nextTurn()
    if ((asked && !matchesFilter(asked, one)) || (rest && !matchesFilter(rest, one))) continue
    rows.push(one)
    written += writeCsvRow(chosen.flatMap(({ cells }) => cells(one, facts)))
  }
  // Postgres keeps no NUL in a text: one in a reference would end every export of the list.
  const text = written.replaceAll('\0', '\u{FFFD}')
  const { continuation } = page
  return db.transaction(async (tx) => {
    const [kept] = await tx
      .update(listExports)
      .set({
        parts: row.parts + 1,
        rows: row.rows + rows.length,
        leftOut: row.leftOut + page.results.length - rows.length,
        unreadable: row.unreadable + page.unreadable,
        sums: addToSums(row.sums, rows, amounts),
        bytes: row.bytes + Buffer.byteLength(text),
        after: continuation.kind === 'more' ? continuation.after : null,
        changedAt: new Date(),
        leaseUntil: nextLease(),
      })
      .where(and(isSameTurn(row), eq(listExports.state, 'running')))
      .returning(exportColumns)
    if (!kept) return null
    await keepPart(tx, { exportId: row.id, part: row.parts, text, marks })
    return { row: kept, text }
  })
}

/** Reads on until the list ends or cannot go on; `walk` is what is kept by then. */
async function walkList(db: Database, session: Session, walk: Walk): Promise<End> {
  const follow = followPages()
  for (;;) {
    // Its author may have been taken out of the team since, or their account closed.
    if (!(await isStillMember(db, session))) return { reason: 'author-left' }
    const page = await readPage(session, walk.row, walk.row.after)
    const kept = await keepPage(db, session, walk, page)
    if (!kept) return { reason: 'by-person' }
    walk.row = kept.row
    walk.hash.update(kept.text)
    const next = follow(page.continuation)
    if (next.kind === 'end') return { reason: walk.met.hasMoved ? 'list-incomplete' : null }
    // Where the service does not say how it goes on, or leads in a circle, nobody can say that it is whole.
    if (next.kind === 'incomplete') return { reason: 'list-incomplete' }
  }
}

/** Writes down how it ended, unless somebody else has taken it up: then it is theirs to say. */
async function endExport(db: Database, session: Session, { row, hash }: Walk, { reason }: End): Promise<void> {
  const sha256 = hash.digest('hex')
  const now = new Date()
  const state = reason === null ? 'complete' : 'stopped'
  const ended = await db
    .update(listExports)
    .set({ state, reason, sha256, changedAt: now, endedAt: now })
    .where(isSameTurn(row))
    .returning({ id: listExports.id })
  if (ended.length === 0) return
  await recordActivity({
    connectionId: row.connectionId,
    actor: session.email,
    action: 'export.end',
    objectKind: 'export',
    objectId: row.id,
    outcome: reason === null || reason === 'by-person' ? 'done' : 'failed',
    details: { list: row.query.list, state, reason, rows: row.rows, sums: row.sums, sha256 },
  })
}

/**
 * Writes an export part by part until the list ends, or says why it could not go on; one page is in memory
 * at a time, and the next is asked for when this one is kept. Resolves at the end; never throws.
 */
export async function runExport(db: Database, session: Session, started: ExportRow): Promise<void> {
  const running = getRunningExports()
  const turn = started.holder ?? ''
  if (running.has(turn)) return
  running.add(turn)
  const walk: Walk = { row: started, hash: createHash('sha256'), met: new SeenRows() }
  try {
    for await (const { text, marks } of readParts(db, started)) {
      walk.hash.update(text)
      walk.met.recall(marks ?? '')
    }
    const end = await walkList(db, session, walk).catch((error: unknown): End => {
      if (!(error instanceof AppError)) throw error
      return { reason: error.code }
    })
    await endExport(db, session, walk, end)
  } catch (error) {
    log.error({ event: 'export-failed', exportId: started.id, error: describeError(error) })
    await db
      .update(listExports)
      .set({ state: 'stopped', reason: 'internal', changedAt: new Date() })
      .where(isSameTurn(started))
      .catch(() => undefined)
  } finally {
    running.delete(turn)
  }
}
