import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq } from 'drizzle-orm'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { recordActivity } from '../activity-log/append'
import { findMemberSession } from '../auth/member-session'
import { findProviderTokens, runAsTokenOwner } from '../auth/provider-tokens'
import type { Session } from '../auth/session'
import { describeError, log } from '../runtime/log'
import { customerImportRows, customerImports, type KnownBefore } from '../store/import-schema'
import { users } from '../store/schema'
import { resumeImport } from './commands'
import { snapshotCustomers } from './find-customers'
import { countLines, ImportLease, type ImportRow } from './import-record'
import { hasDoubts, reconcileLines } from './reconcile-lines'
import { type Line, sendLine, type Step } from './send-line'

/** The import is held after this many failures in a row. */
const MAX_FAILURES = 4

/** Interval between searches for a line in doubt: the upstream API may list what it created with a delay. */
const DEFAULT_SEARCH_INTERVAL_MS = 30_000

/** Sleeps, but wakes early if the import is stopped. */
async function waitUnlessStopped(seconds: number, lease: ImportLease): Promise<void> {
  const until = Date.now() + seconds * 1_000
  while (Date.now() < until && (await lease.renew())) await sleep(Math.min(500, Math.max(0, until - Date.now())))
}

/** Each line has its own entry with the upstream reply; this one is for the whole import. */
async function recordEnd(
  db: Database,
  { email }: Session,
  { id, connectionId, fileName }: ImportRow,
  problem: { code?: string },
): Promise<void> {
  await recordActivity({
    connectionId,
    actor: email,
    action: problem.code === undefined ? 'import.end' : 'import.hold',
    objectKind: 'import',
    objectId: id,
    outcome: problem.code === undefined ? 'done' : 'failed',
    details: { fileName, ...problem, counts: await countLines(db, id) },
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
 * Rechecks the user's permission: an import outlives its request, but must not outlive the role. Signing out has no
 * effect; losing the role, the account or the merchant ends it.
 */
async function mayStillImport(db: Database, { userId, scope }: Session): Promise<boolean> {
  const member = await findMemberSession(db, { connectionId: scope.connectionId, userId })
  return member !== null && hasPermission(member.role, 'manage')
}

async function sendLines(session: Session, lease: ImportLease, searchIntervalMs: number): Promise<void> {
  const { db, row } = lease
  let failures = 0
  let last: Step = { kind: 'next' }
  let knownBefore: ((body: Line['body']) => KnownBefore | null) | null = null
  while (await lease.renew()) {
    const line = await findLine(db, row)
    if (!line && !(await hasDoubts(lease))) {
      if (!(await lease.finish())) continue
      return recordEnd(db, session, row, {})
    }
    let step: Step
    if (!(await mayStillImport(db, session))) step = { kind: 'hold', code: 'forbidden' }
    else if (!line) step = await reconcileLines(session, lease, searchIntervalMs)
    else if (last.kind === 'failure' && failures >= MAX_FAILURES) step = { kind: 'hold', code: last.code }
    else {
      knownBefore ??= await snapshotCustomers(session, () => lease.renew())
      step = (await lease.renew()) ? await sendLine(db, session, row, line, knownBefore(line.body)) : { kind: 'next' }
    }
    await lease.announce()
    last = step
    failures = step.kind === 'failure' ? failures + 1 : 0
    if (step.kind === 'hold') {
      await lease.update({ state: 'held', problem: step.code, waitUntil: null })
      return recordEnd(db, session, row, { code: step.code })
    }
    if (step.kind === 'pause') await waitUnlessStopped(step.seconds, lease)
    // Back off after a failure only if there is more to send.
    const backsOff = step.kind === 'failure' && failures < MAX_FAILURES && (await findLine(db, row)) !== undefined
    if (step.kind !== 'wait' && !backsOff) continue
    const seconds = step.kind === 'wait' ? step.seconds : 2 ** (failures - 1)
    await lease.update({ waitUntil: new Date(Date.now() + seconds * 1_000) })
    await waitUnlessStopped(seconds, lease)
    await lease.update({ waitUntil: null })
  }
}

async function runToEnd(session: Session, lease: ImportLease, searchIntervalMs: number): Promise<void> {
  try {
    do await sendLines(session, lease, searchIntervalMs)
    while (!(await lease.release()))
  } catch (error) {
    log.error({ event: 'import-failed', importId: lease.row.id, error: describeError(error) })
    await lease.update({ state: 'held', problem: 'internal' }).catch(() => undefined)
    await lease.release().catch(() => undefined)
  }
}

/**
 * Runs an import until it is done, stopped or held, one line at a time, then searches for lines in doubt. A line is
 * sent again only if it certainly did not arrive, or if a user decides so; after a restore, also if it is not listed. Does nothing if another process holds the
 * lease. Resolves once that is known; `ended` resolves at the end and never rejects.
 */
export async function runImport(
  db: Database,
  session: Session,
  row: ImportRow,
  searchIntervalMs = DEFAULT_SEARCH_INTERVAL_MS,
): Promise<{ ended: Promise<void> }> {
  const lease = await ImportLease.take(db, row)
  return { ended: lease ? runToEnd(session, lease, searchIntervalMs) : Promise.resolve() }
}

/**
 * Resumes imports that were held because their user had signed out and who is signed in again, with that user's token
 * and if the role still permits it.
 */
export async function resumeWaitingImports(db: Database): Promise<void> {
  const waiting = await db
    .select({
      importId: customerImports.id,
      connectionId: customerImports.connectionId,
      userId: users.id,
    })
    .from(customerImports)
    .innerJoin(users, eq(users.email, customerImports.startedBy))
    .where(and(eq(customerImports.state, 'held'), eq(customerImports.problem, 'owner-signed-out')))
  for (const { importId, connectionId, userId } of waiting) {
    const tokens = await findProviderTokens(db, { userId }, new Date())
    const member = await findMemberSession(db, { connectionId, userId })
    if (!tokens || !member || !hasPermission(member.role, 'manage')) continue
    const session = { ...member, sessionId: tokens.sessionId }
    const row = await resumeImport(db, session, importId)
    await runAsTokenOwner({ userId }, () => runImport(db, session, row))
  }
}
