import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { DoubtReason, ImportCandidate } from '@/lib/domain/customer-import'
import { recordActivity } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import type { Session } from '../auth/session'
import { customerImportRows } from '../store/import-schema'
import { activity } from '../store/schema'
import { hopeless, isLine, type Line, makeLineKey, type Step } from './send-line'
import type { ImportLease } from './import-record'
import { compareAge, findAlike, isAlike, isExactly, type ListedCustomer } from './find-customers'

/** A line that so many whole reads did not tell of is held for a person; so is one after so many looks of any kind. */
const mostMisses = 2
const mostLooks = 3
const mostCandidates = 10

/** What no second look would mend: there is no such list for the desk. */
const noList = ['not-found', 'bad-request', 'upstream-refused', 'upstream-forbidden']
const ofTheWhole = hopeless.filter((code) => !noList.includes(code))

const inDoubt = and(eq(customerImportRows.state, 'unknown'), isNull(customerImportRows.heldAt))

/** Whether lines are left to look for. */
export async function hasDoubts({ db, row }: ImportLease): Promise<boolean> {
  return (await db.$count(customerImportRows, and(eq(customerImportRows.importId, row.id), inDoubt))) > 0
}

/** Those whose last look is long enough ago, by the clock of the database. */
async function findDue({ db, row }: ImportLease, lookEvery: number): Promise<Line[]> {
  const longAgo = sql`now() - ${lookEvery} * interval '1 millisecond'`
  const isDue = or(isNull(customerImportRows.lookedAt), lte(customerImportRows.lookedAt, longAgo))
  return db
    .select()
    .from(customerImportRows)
    .where(and(eq(customerImportRows.importId, row.id), inDoubt, isDue))
    .orderBy(asc(customerImportRows.line))
}

/** Changes a line in doubt unless a late answer, or somebody else, has settled it meanwhile. */
async function keep(
  { db }: ImportLease,
  line: Line,
  change: PgUpdateSetSource<typeof customerImportRows>,
): Promise<boolean> {
  const kept = await db
    .update(customerImportRows)
    .set(change)
    .where(and(isLine(line), inDoubt, eq(customerImportRows.sendings, line.sendings)))
    .returning({ line: customerImportRows.line })
  return kept.length > 0
}

/** Of listed customers, which were made by a sending of this very line, and which by other requests of the desk. */
async function findMakers({ db, row }: ImportLease, line: Line, listed: readonly ListedCustomer[]) {
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
  const noted = await db
    .select({ id: activity.objectId, key: sql<string | null>`${activity.details} ->> 'key'` })
    .from(activity)
    .where(isCreation)
  // The desk may have ended between noting the answer and writing it at the line.
  for (const one of noted) (one.key === key ? own : others).add(one.id)
  return { own, others }
}

/** Whether another line may have made it: one in doubt as well, or one of whose customer the service told no id. */
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
        sql`${body} ->> 'name' = ${line.body['name'] ?? ''}`,
      ),
    )
  return rows.some((other) => isExactly(customer, other.body))
}

function describe({ id, handle, name, number, createdAt }: ListedCustomer): ImportCandidate {
  return { id, handle, name, number, createdAt }
}

/**
 * What a reading says of one line. Found is the one customer that shows everything that was sent, that surely did not
 * exist before, and that no other request of the desk can have made; anything less is for a person to judge.
 */
async function judgeLine(
  turn: ImportLease,
  line: Line,
  customers: readonly ListedCustomer[],
): Promise<{ found: ListedCustomer | null; candidates: ListedCustomer[] }> {
  const listed = customers.filter((one) => isAlike(one, line.body) && compareAge(one, line.knownBefore) !== 'before')
  const { own, others } = await findMakers(turn, line, listed)
  const made = listed.find(({ id }) => own.has(id))
  if (made) return { found: made, candidates: [] }
  const candidates = listed.filter(({ id }) => !others.has(id))
  const proven = candidates.filter((one) => isExactly(one, line.body) && compareAge(one, line.knownBefore) === 'since')
  const [found = null, ...more] = proven
  const isFound = found !== null && more.length === 0 && !(await isClaimedByOther(turn, line, found))
  return { found: isFound ? found : null, candidates }
}

async function keepFound(session: Session, turn: ImportLease, line: Line, found: ListedCustomer): Promise<void> {
  const { id, handle } = found
  const isKept = await keep(turn, line, { state: 'created', customerId: id, handle, message: null, settledBy: 'desk' })
  if (!isKept) return
  await recordActivity({
    connectionId: line.connectionId,
    actor: session.email,
    action: 'import.found',
    objectKind: 'import',
    objectId: line.importId,
    details: { fileName: turn.row.fileName, line: line.line, customerId: id },
  })
}

/** Counts a look that did not find the line, and holds it for a person where another would hardly help. */
async function keepMissed(
  turn: ImportLease,
  line: Line,
  heldFor: DoubtReason,
  change: Pick<Partial<Line>, 'looks' | 'misses' | 'candidates'>,
): Promise<void> {
  const { looks = line.looks + 1, misses = line.misses } = change
  const isOver = misses >= mostMisses || looks >= mostLooks
  const now = sql`now()`
  await keep(turn, line, { ...change, looks, lookedAt: now, ...(isOver && { heldAt: now, heldFor }) })
}

async function look(session: Session, turn: ImportLease, due: readonly Line[]): Promise<void> {
  const reading = await findAlike(
    session,
    due.map(({ body }) => body),
    () => turn.keep(),
  )
  if (!reading) return
  const { customers, isWhole } = reading
  for (const line of due) {
    const { found, candidates } = await judgeLine(turn, line, customers)
    // Of two like it one may stand where the list was not read.
    if (found && isWhole) {
      await keepFound(session, turn, line, found)
      continue
    }
    const heldFor = !isWhole ? 'not-listed' : candidates.length > 0 ? 'ambiguous' : 'not-found'
    await keepMissed(turn, line, heldFor, {
      misses: line.misses + (isWhole ? 1 : 0),
      candidates: candidates.slice(0, mostCandidates).map(describe),
    })
  }
}

/**
 * Looks among the service's customers for the lines in doubt whose turn it is, in one reading for all of them. What it
 * does not find after a second one waits for a person.
 */
export async function reconcileLines(session: Session, turn: ImportLease, lookEvery: number): Promise<Step> {
  const due = await findDue(turn, lookEvery)
  if (due.length === 0) return { kind: 'pause', seconds: Math.min(2_000, lookEvery) / 1_000 }
  try {
    await look(session, turn, due)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, evidence } = error
    if (code === 'upstream-slow-down') return { kind: 'wait', seconds: Math.max(1, evidence.retryAfter ?? 5) }
    if (ofTheWhole.includes(code)) return { kind: 'hold', code }
    const looks = noList.includes(code) ? mostLooks : undefined
    for (const line of due) await keepMissed(turn, line, 'not-listed', looks === undefined ? {} : { looks })
  }
  return { kind: 'next' }
}
