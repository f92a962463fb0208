import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { readIdentity } from '@/lib/contract/read-identity'
import type { Database } from '@/lib/database/open-database'
import { describeError } from '../describe-error'
import { Failure } from '../failure'
import { log } from '../log'
import { perform } from '../perform'
import type { Session } from '../session'
import { customerImportRows, customerImports } from '../store/import-schema'
import { makeLineKey } from './import-key'
import { getRunningImports } from './running-imports'
import type { ImportRow } from './view-import'

type Line = typeof customerImportRows.$inferSelect
type Step =
  | { kind: 'next' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'falter'; code: string }
  | { kind: 'hold'; code: string }

/** Refusals of the one line: all others are of the whole. */
const refusals = ['upstream-refused', 'bad-request', 'not-found', 'key-reused']
const hopeless = ['upstream-credential', 'upstream-forbidden', 'forbidden']

/** After so many failures in a row the import is held. */
const mostFalters = 4

function describeRefusal({ message, evidence }: Failure): string {
  const fields = Object.entries(evidence.errors ?? {}).map(([field, words]) => `${field} ${words.join(', ')}`)
  return [evidence.detail ?? message, ...fields].join(' ').slice(0, 500)
}

async function sendLine(db: Database, session: Session, { fileHash }: ImportRow, line: Line): Promise<Step> {
  const mine = and(eq(customerImportRows.importId, line.importId), eq(customerImportRows.line, line.line))
  const keep = (change: Partial<Line>) => db.update(customerImportRows).set(change).where(mine)
  const idempotencyKey = makeLineKey(line.connectionId, fileHash, line.line, line.refusals)
  // Before it is sent: a desk that ends now must not take the line for one that was never sent.
  await keep({ state: 'unknown', message: null })
  try {
    const { reply } = await perform(session, 'createCustomer', { body: line.body, idempotencyKey })
    const { id, handle } = readIdentity(reply)
    await keep({ state: 'created', customerId: id, handle, message: null })
    return { kind: 'next' }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, evidence } = error
    if (refusals.includes(code)) {
      // A sending in doubt may have arrived: whoever sends the line again must use the same key.
      const refused = line.state === 'unknown' ? line.refusals : line.refusals + 1
      await keep({ state: 'refused', refusals: refused, message: describeRefusal(error) })
      return { kind: 'next' }
    }
    const wasRefused = hopeless.includes(code) || code === 'upstream-slow-down' || evidence.written === false
    // What was in doubt before stays in doubt: the earlier sending may have arrived.
    if (wasRefused && line.state === 'waiting') await keep({ state: 'waiting' })
    if (code === 'upstream-slow-down') return { kind: 'wait', seconds: Math.max(1, evidence.retryAfter ?? 5) }
    return hopeless.includes(code) ? { kind: 'hold', code } : { kind: 'falter', code }
  }
}

/** Waits, but no longer than until somebody stops the import. */
async function waitUnlessStopped(seconds: number, isStopped: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + seconds * 1_000
  while (Date.now() < until && !(await isStopped())) await sleep(Math.min(500, Math.max(0, until - Date.now())))
}

async function work(db: Database, session: Session, row: ImportRow): Promise<void> {
  const own = eq(customerImports.id, row.id)
  const set = (change: Partial<ImportRow>) =>
    db
      .update(customerImports)
      .set({ ...change, changedAt: new Date() })
      .where(and(own, eq(customerImports.state, 'running')))
  const isStopped = async () => {
    const [now] = await db.select({ state: customerImports.state }).from(customerImports).where(own)
    return now?.state !== 'running'
  }
  let falters = 0
  while (!(await isStopped())) {
    const [line] = await db
      .select()
      .from(customerImportRows)
      .where(and(eq(customerImportRows.importId, row.id), inArray(customerImportRows.state, ['waiting', 'unknown'])))
      .orderBy(asc(customerImportRows.line))
      .limit(1)
    if (!line) {
      await set({ state: 'done', waitUntil: null })
      return
    }
    const step = await sendLine(db, session, row, line)
    falters = step.kind === 'falter' ? falters + 1 : 0
    if (step.kind === 'hold' || (step.kind === 'falter' && falters >= mostFalters)) {
      await set({ state: 'held', problem: step.code, waitUntil: null })
      return
    }
    if (step.kind === 'next') continue
    const seconds = step.kind === 'wait' ? step.seconds : 2 ** (falters - 1)
    await set({ waitUntil: new Date(Date.now() + seconds * 1_000) })
    await waitUnlessStopped(seconds, isStopped)
    await set({ waitUntil: null })
  }
}

/**
 * Works on an import until it is done, stopped or held, one line at a time: each line is sent under its own
 * key until the service has answered it. Resolves at the end; never throws.
 */
export async function runImport(db: Database, session: Session, row: ImportRow): Promise<void> {
  const running = getRunningImports()
  if (running.has(row.id)) return
  running.add(row.id)
  try {
    await work(db, session, row)
  } catch (error) {
    log.error({ event: 'import-failed', importId: row.id, error: describeError(error) })
    await db
      .update(customerImports)
      .set({ state: 'held', problem: 'internal', changedAt: new Date() })
      .where(eq(customerImports.id, row.id))
      .catch(() => undefined)
  } finally {
    running.delete(row.id)
  }
}
