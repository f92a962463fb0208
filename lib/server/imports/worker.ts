import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { recordActivity } from '../activity-log/append'
import { findProviderTokens, runAsTokenOwner } from '../auth/provider-tokens'
import type { Session } from '../auth/session'
import { isRole } from '../auth/sessions'
import { createTenantScope } from '../auth/tenant-scope'
import { describeError, log } from '../runtime/log'
import { customerImportRows, customerImports, type KnownBefore } from '../store/import-schema'
import { memberships, users } from '../store/schema'
import { resumeImport } from './commands'
import { snapshotCustomers } from './find-customers'
import { ImportLease, type ImportRow } from './import-record'
import { hasDoubts, reconcileLines } from './reconcile-lines'
import { type Line, sendLine, type Step } from './send-line'

/** After so many failures in a row the import is held. */
const mostFalters = 4

/** Between two looks for the lines in doubt: a service may be slow to list what it created. In milliseconds. */
const defaultLookEvery = 30_000

/** Waits, but no longer than until somebody stops the import. */
async function waitUnlessStopped(seconds: number, turn: ImportLease): Promise<void> {
  const until = Date.now() + seconds * 1_000
  while (Date.now() < until && (await turn.keep())) await sleep(Math.min(500, Math.max(0, until - Date.now())))
}

/** Of each line the log has what the service answered; here stands how the whole ended. */
function noteEnd(
  { email }: Session,
  { id, connectionId, fileName }: ImportRow,
  problem: { code?: string },
): Promise<void> {
  return recordActivity({
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
    .where(and(eq(customerImportRows.importId, id), eq(customerImportRows.state, 'waiting')))
    .orderBy(asc(customerImportRows.line))
    .limit(1)
    .then(([line]) => line)
}

/**
 * Whether whoever started an import may still do so, read afresh: an import outlives the request that began it,
 * and must not outlive the role. Signing out ends nothing; losing the role, or the account, does.
 */
async function mayStillImport(db: Database, { userId, scope }: Session): Promise<boolean> {
  const [row] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(eq(memberships.userId, userId), eq(memberships.connectionId, scope.connectionId), isNull(users.disabledAt)),
    )
  return row !== undefined && isRole(row.role) && hasPermission(row.role, 'manage')
}

async function work(session: Session, turn: ImportLease, lookEvery: number): Promise<void> {
  const { db, row } = turn
  let falters = 0
  let last: Step = { kind: 'next' }
  let knownBefore: ((body: Line['body']) => KnownBefore | null) | null = null
  while (await turn.keep()) {
    const line = await findLine(db, row)
    if (!line && !(await hasDoubts(turn))) {
      if (!(await turn.finish())) continue
      return noteEnd(session, row, {})
    }
    let step: Step
    if (!(await mayStillImport(db, session))) step = { kind: 'hold', code: 'forbidden' }
    else if (!line) step = await reconcileLines(session, turn, lookEvery)
    else if (last.kind === 'falter' && falters >= mostFalters) step = { kind: 'hold', code: last.code }
    else {
      knownBefore ??= await snapshotCustomers(session, () => turn.keep())
      step = (await turn.keep()) ? await sendLine(db, session, row, line, knownBefore(line.body)) : { kind: 'next' }
    }
    last = step
    falters = step.kind === 'falter' ? falters + 1 : 0
    if (step.kind === 'hold') {
      await turn.set({ state: 'held', problem: step.code, waitUntil: null })
      return noteEnd(session, row, { code: step.code })
    }
    if (step.kind === 'pause') await waitUnlessStopped(step.seconds, turn)
    // A service in trouble is left alone only where there is more to send.
    const isRested = step.kind === 'falter' && falters < mostFalters && (await findLine(db, row)) !== undefined
    if (step.kind !== 'wait' && !isRested) continue
    const seconds = step.kind === 'wait' ? step.seconds : 2 ** (falters - 1)
    await turn.set({ waitUntil: new Date(Date.now() + seconds * 1_000) })
    await waitUnlessStopped(seconds, turn)
    await turn.set({ waitUntil: null })
  }
}

async function workToEnd(session: Session, turn: ImportLease, lookEvery: number): Promise<void> {
  try {
    do await work(session, turn, lookEvery)
    while (!(await turn.leave()))
  } catch (error) {
    log.error({ event: 'import-failed', importId: turn.row.id, error: describeError(error) })
    await turn.set({ state: 'held', problem: 'internal' }).catch(() => undefined)
    await turn.leave().catch(() => undefined)
  }
}

/**
 * Works on an import until it is done, stopped or held, one line at a time, then looks for the lines in doubt: each line
 * is sent once, and again only where it was surely not taken, or where a person says so. Where another process is at it
 * already, it is left to that one. Answers as soon as that is settled; `ended` resolves at the end and never rejects.
 * Throws what the store throws.
 */
export async function runImport(
  db: Database,
  session: Session,
  row: ImportRow,
  lookEvery = defaultLookEvery,
): Promise<{ ended: Promise<void> }> {
  const turn = await ImportLease.take(db, row)
  return { ended: turn ? workToEnd(session, turn, lookEvery) : Promise.resolve() }
}

/**
 * Lets imports go on that were held because whoever started them had signed out, once they are signed in again: with
 * their own access token, and only while their role still allows it. Throws what the store throws.
 */
export async function resumeWaitingImports(db: Database): Promise<void> {
  const waiting = await db
    .select({
      importId: customerImports.id,
      connectionId: customerImports.connectionId,
      userId: users.id,
      email: users.email,
      role: memberships.role,
    })
    .from(customerImports)
    .innerJoin(users, eq(users.email, customerImports.startedBy))
    .innerJoin(
      memberships,
      and(eq(memberships.userId, users.id), eq(memberships.connectionId, customerImports.connectionId)),
    )
    .where(and(eq(customerImports.state, 'held'), eq(customerImports.problem, 'owner-signed-out')))
  for (const { importId, connectionId, userId, email, role } of waiting) {
    const held = await findProviderTokens(db, { userId }, new Date())
    if (!held || !isRole(role)) continue
    const session = { sessionId: held.sessionId, userId, email, role, scope: createTenantScope(connectionId) }
    const row = await resumeImport(db, session, importId)
    await runAsTokenOwner({ userId }, () => runImport(db, session, row))
  }
}
