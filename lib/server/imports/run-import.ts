import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { readIdentity } from '@/lib/contract/read-identity'
import type { Database } from '@/lib/database/open-database'
import { noteActivity } from '../activity/note-activity'
import { describeError } from '../describe-error'
import { Failure } from '../failure'
import { log } from '../log'
import { perform } from '../perform'
import type { Session } from '../session'
import { customerImportRows } from '../store/import-schema'
import { makeLineKey } from './import-key'
import { ImportTurn } from './import-turn'
import { mayStillImport } from './may-still-import'
import type { ImportRow } from './view-import'

type Line = typeof customerImportRows.$inferSelect
type Step =
  | { kind: 'next' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'falter'; code: string }
  | { kind: 'hold'; code: string }

/** Refusals of the one line: all others are of the whole. */
const refusals = ['upstream-refused', 'bad-request', 'not-found', 'key-reused']
const hopeless = ['owner-signed-out', 'upstream-credential', 'upstream-forbidden', 'forbidden']

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
async function waitUnlessStopped(seconds: number, turn: ImportTurn): Promise<void> {
  const until = Date.now() + seconds * 1_000
  while (Date.now() < until && (await turn.keep())) await sleep(Math.min(500, Math.max(0, until - Date.now())))
}

/** Of each line the log has what the service answered; here stands how the whole ended. */
function noteEnd(
  { email }: Session,
  { id, connectionId, fileName }: ImportRow,
  problem: { code?: string },
): Promise<void> {
  return noteActivity({
    connectionId,
    actor: email,
    action: problem.code === undefined ? 'import.end' : 'import.hold',
    objectKind: 'import',
    objectId: id,
    outcome: problem.code === undefined ? 'done' : 'failed',
    details: { fileName, ...problem },
  })
}

function findLine(db: Database, { id }: ImportRow): Promise<Line | undefined> {
  return db
    .select()
    .from(customerImportRows)
    .where(and(eq(customerImportRows.importId, id), inArray(customerImportRows.state, ['waiting', 'unknown'])))
    .orderBy(asc(customerImportRows.line))
    .limit(1)
    .then(([line]) => line)
}

async function work(session: Session, turn: ImportTurn): Promise<void> {
  const { db, row } = turn
  let falters = 0
  while (await turn.keep()) {
    const line = await findLine(db, row)
    if (!line) {
      if (!(await turn.finish())) continue
      return noteEnd(session, row, {})
    }
    const step: Step = (await mayStillImport(db, session))
      ? await sendLine(db, session, row, line)
      : { kind: 'hold', code: 'forbidden' }
    falters = step.kind === 'falter' ? falters + 1 : 0
    if (step.kind === 'hold' || (step.kind === 'falter' && falters >= mostFalters)) {
      await turn.set({ state: 'held', problem: step.code, waitUntil: null })
      return noteEnd(session, row, { code: step.code })
    }
    if (step.kind === 'next') continue
    const seconds = step.kind === 'wait' ? step.seconds : 2 ** (falters - 1)
    await turn.set({ waitUntil: new Date(Date.now() + seconds * 1_000) })
    await waitUnlessStopped(seconds, turn)
    await turn.set({ waitUntil: null })
  }
}

async function workToEnd(session: Session, turn: ImportTurn): Promise<void> {
  try {
    do await work(session, turn)
    while (!(await turn.leave()))
  } catch (error) {
    log.error({ event: 'import-failed', importId: turn.row.id, error: describeError(error) })
    await turn.set({ state: 'held', problem: 'internal' }).catch(() => undefined)
    await turn.leave().catch(() => undefined)
  }
}

/**
 * Works on an import until it is done, stopped or held, one line at a time: each line is sent under its own
 * key until the service has answered it. Where another process is at it already, it is left to that one. Answers as
 * soon as that is settled; `ended` resolves at the end and never rejects. Throws what the store throws.
 */
export async function runImport(db: Database, session: Session, row: ImportRow): Promise<{ ended: Promise<void> }> {
  const turn = await ImportTurn.take(db, row)
  return { ended: turn ? workToEnd(session, turn) : Promise.resolve() }
}
