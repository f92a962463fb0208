import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { DoubtReason, ImportCandidate } from '@/lib/domain/customers/customer-import'
import { recordActivity } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import type { Session } from '../auth/session'
import { customerImportRows } from '../store/import-schema'
import { activity } from '../store/schema'
import { toStorable } from '../store/to-storable'
import { UNRECOVERABLE_CODES, isLine, type Line, makeLineKey, type Step } from './send-line'
import type { ImportLease } from './import-record'
import { compareAge, findSimilarCustomers, isExactMatch, type ListedCustomer, normalize } from './find-customers'

/** A line is held for a user after this many complete reads without it, or this many attempts of any kind. */
const MAX_MISSES = 2
const MAX_LOOKS = 3
const MAX_CANDIDATES = 10

/** The list is unavailable to us; another attempt would not help. */
const LIST_UNAVAILABLE_CODES = ['not-found', 'bad-request', 'upstream-refused', 'upstream-forbidden']
const HOLD_CODES = UNRECOVERABLE_CODES.filter((code) => !LIST_UNAVAILABLE_CODES.includes(code))

const isInDoubt = and(eq(customerImportRows.state, 'unknown'), isNull(customerImportRows.heldAt))

export async function hasDoubts({ db, row }: ImportLease): Promise<boolean> {
  return (await db.$count(customerImportRows, and(eq(customerImportRows.importId, row.id), isInDoubt))) > 0
}

/** Lines whose last attempt is long enough ago, by the database's clock: all of them, for one read of the list serves all. */
async function findDue({ db, row }: ImportLease, intervalMs: number): Promise<Line[]> {
  const dueBefore = sql`now() - ${intervalMs} * interval '1 millisecond'`
  const isDue = or(isNull(customerImportRows.lookedAt), lte(customerImportRows.lookedAt, dueBefore))
  return db
    .select()
    .from(customerImportRows)
    .where(and(eq(customerImportRows.importId, row.id), isInDoubt, isDue))
    .orderBy(asc(customerImportRows.line))
}

/** Updates a line in doubt, unless a late reply or a user has settled it meanwhile. */
async function updateInDoubt(
  { db }: ImportLease,
  line: Line,
  change: PgUpdateSetSource<typeof customerImportRows>,
): Promise<boolean> {
  const updated = await db
    .update(customerImportRows)
    .set(change)
    .where(and(isLine(line), isInDoubt, eq(customerImportRows.sendings, line.sendings)))
    .returning({ line: customerImportRows.line })
  return updated.length > 0
}

/** Which listed customers this very line created, and which other requests did. */
async function findCreators({ db, row }: ImportLease, line: Line, listed: readonly ListedCustomer[]) {
  const ids = listed.map(({ id }) => id)
  const others = new Set<string>()
  const own = new Set<string>()
  if (ids.length === 0) return { own, others }
  const { connectionId, customerId } = customerImportRows
  const rows = await db
    .select({ customerId })
    .from(customerImportRows)
    .where(and(eq(connectionId, line.connectionId), inArray(customerId, ids)))
  for (const { customerId: id } of rows) if (id !== null) others.add(id)
  const isCreation = and(
    eq(activity.connectionId, line.connectionId),
    eq(activity.objectKind, 'customer'),
    inArray(activity.objectId, ids),
    eq(activity.action, 'customer.create'),
  )
  const key = makeLineKey(line.connectionId, row.fileHash, line.line, line.refusals)
  const recorded = await db
    .select({ id: activity.objectId, key: sql<string | null>`${activity.details} ->> 'key'` })
    .from(activity)
    .where(isCreation)
  // The process may have died between recording the reply and updating the line.
  for (const one of recorded) (one.key === key ? own : others).add(one.id)
  return { own, others }
}

/** Whether another line may have created it: one also in doubt, or created without a known id. */
async function isClaimedByOther({ db }: ImportLease, line: Line, customer: ListedCustomer): Promise<boolean> {
  const { state, customerId, connectionId, body } = customerImportRows
  const rows = await db
    .select({ body })
    .from(customerImportRows)
    .where(
      and(
        eq(connectionId, line.connectionId),
        or(eq(state, 'unknown'), and(eq(state, 'created'), isNull(customerId))),
        or(ne(customerImportRows.importId, line.importId), ne(customerImportRows.line, line.line)),
        sql`normalize(${body} ->> 'name') = ${normalize(line.body['name'] ?? '')}`,
      ),
    )
  return rows.some((other) => isExactMatch(customer, other.body))
}

function toCandidate({ id, handle, name, number, createdAt }: ListedCustomer): ImportCandidate {
  return {
    id,
    handle: toStorable(handle),
    name: toStorable(name),
    number: toStorable(number),
    createdAt: toStorable(createdAt),
  }
}

/**
 * Matches a line with listed customers that are similar to it. `found` is the one that the log says this line created (`isRecorded`), or requires
 * exactly one that shows everything sent, certainly did not exist before, and cannot stem from another request of ours;
 * otherwise a user must decide.
 */
async function matchLine(
  lease: ImportLease,
  line: Line,
  similar: readonly ListedCustomer[],
): Promise<{ found: ListedCustomer | null; isRecorded: boolean; candidates: ListedCustomer[] }> {
  const listed = similar.filter((one) => compareAge(one, line.knownBefore) !== 'before')
  const { own, others } = await findCreators(lease, line, listed)
  const created = listed.find(({ id }) => own.has(id))
  if (created) return { found: created, isRecorded: true, candidates: [] }
  const candidates = listed.filter(({ id }) => !others.has(id))
  const proven = candidates.filter(
    (one) => isExactMatch(one, line.body) && compareAge(one, line.knownBefore) === 'since',
  )
  const [found = null, ...more] = proven
  const isFound = found !== null && more.length === 0 && !(await isClaimedByOther(lease, line, found))
  return { found: isFound ? found : null, isRecorded: false, candidates }
}

async function recordFound(session: Session, lease: ImportLease, line: Line, found: ListedCustomer): Promise<void> {
  const { id, handle } = found
  const isUpdated = await updateInDoubt(lease, line, {
    state: 'created',
    customerId: id,
    handle: toStorable(handle),
    message: null,
    settledBy: 'desk',
  })
  if (!isUpdated) return
  await recordActivity({
    connectionId: line.connectionId,
    actor: session.email,
    action: 'import.found',
    objectKind: 'import',
    objectId: line.importId,
    details: { fileName: lease.row.fileName, line: line.line, customerId: id },
  })
}

/**
 * Counts an attempt without a match, and holds the line for a user if further ones would hardly help. One that nobody is known
 * to have sent, from a restored backup, is sent then if the whole list does not show it.
 */
async function recordMissed(
  lease: ImportLease,
  line: Line,
  heldFor: DoubtReason,
  change: Pick<Partial<Line>, 'looks' | 'misses' | 'candidates'>,
): Promise<void> {
  const { looks = line.looks + 1, misses = line.misses } = change
  const isExhausted = misses >= MAX_MISSES || looks >= MAX_LOOKS
  const now = sql`now()`
  if (line.failure === 'restored' && misses >= MAX_MISSES && heldFor === 'not-found')
    return void (await updateInDoubt(lease, line, { state: 'waiting', failure: null, knownBefore: null }))
  await updateInDoubt(lease, line, { ...change, looks, lookedAt: now, ...(isExhausted && { heldAt: now, heldFor }) })
}

/** Settles line after line and renews the lease meanwhile; ends where that is lost or the import is stopped. */
async function settleEach(
  lease: ImportLease,
  lines: readonly Line[],
  settle: (line: Line) => Promise<void>,
): Promise<void> {
  for (const line of lines) {
    if (!(await lease.renew())) return
    await settle(line)
  }
}

async function searchLines(session: Session, lease: ImportLease, due: readonly Line[]): Promise<void> {
  const reading = await findSimilarCustomers(
    session,
    due.map(({ body }) => body),
    () => lease.renew(),
  )
  if (!reading) return
  const { similarTo, isWhole } = reading
  await settleEach(lease, due, async (line) => {
    const { found, isRecorded, candidates } = await matchLine(lease, line, similarTo(line.body))
    // An incomplete list may hide a second match.
    if (found && (isWhole || isRecorded)) return recordFound(session, lease, line, found)
    const heldFor = !isWhole ? 'not-listed' : candidates.length > 0 ? 'ambiguous' : 'not-found'
    await recordMissed(lease, line, heldFor, {
      misses: line.misses + (isWhole ? 1 : 0),
      candidates: candidates.slice(0, MAX_CANDIDATES).map(toCandidate),
    })
  })
}

/** Searches the upstream customers for the due lines in doubt. Lines repeatedly not found are held for a user. */
export async function reconcileLines(session: Session, lease: ImportLease, intervalMs: number): Promise<Step> {
  const due = await findDue(lease, intervalMs)
  if (due.length === 0) return { kind: 'pause', seconds: Math.min(2_000, intervalMs) / 1_000 }
  try {
    await searchLines(session, lease, due)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, evidence } = error
    if (code === 'upstream-slow-down') return { kind: 'wait', seconds: Math.max(1, evidence.retryAfter ?? 5) }
    if (HOLD_CODES.includes(code)) return { kind: 'hold', code }
    const looks = LIST_UNAVAILABLE_CODES.includes(code) ? MAX_LOOKS : undefined
    const change = looks === undefined ? {} : { looks }
    await settleEach(lease, due, (line) => recordMissed(lease, line, 'not-listed', change))
  }
  return { kind: 'next' }
}
