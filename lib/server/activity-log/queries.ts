import { and, desc, eq, gte, inArray, isNotNull, lt, ne, notInArray, or, sql, type SQL } from 'drizzle-orm'
import { addDays } from '@/lib/api-contract/business-days'
import type { Page } from '@/lib/api-contract/pagination'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { type ActivityOutcome, activityOutcomes, type ActivityView, privateKinds } from '@/lib/domain/activity/activity'
import { type CsvFlavour, writeCsvRow } from '@/lib/domain/csv'
import { idKey, isUuid } from '@/lib/domain/ids'
import { timestampInZone } from '@/lib/domain/dates/time-zone'
import type { Session } from '../auth/session'
import { getSettings } from '../runtime/settings'
import { bulks } from '../store/bulk-schema'
import { notes } from '../store/note-schema'
import { activity, agreements, cancellations, idKeyOf, users } from '../store/schema'
import * as m from '@/lib/messages/m'
import type { ActivityFilterQuery } from './schema'

type ObjectReference = { connectionId: string; objectKind: string; objectId: string }
type Names = { id: string; name: string | null }[]

function namePayments(db: Database, connectionId: string, ids: string[]): Promise<Names> {
  const id = idKeyOf(cancellations.paymentId)
  const name = sql<string | null>`${cancellations.evidence} ->> 'named'`
  return db
    .select({ id, name })
    .from(cancellations)
    .where(and(eq(cancellations.connectionId, connectionId), inArray(id, ids), isNotNull(name)))
}

function nameAgreements(db: Database, connectionId: string, ids: string[]): Promise<Names> {
  const id = idKeyOf(agreements.agreementId)
  return db
    .select({ id, name: agreements.handle })
    .from(agreements)
    .where(and(eq(agreements.connectionId, connectionId), inArray(id, ids)))
}

async function nameBulks(db: Database, connectionId: string, ids: string[]): Promise<Names> {
  const isRequested = and(eq(bulks.connectionId, connectionId), inArray(bulks.id, ids.filter(isUuid)))
  const rows = await db.select({ id: bulks.id, count: bulks.count }).from(bulks).where(isRequested)
  return rows.map(({ id, count }) => ({ id, name: m.activityRows_ofPayments({ count }) }))
}

function nameUsers(db: Database, _: string, ids: string[]): Promise<Names> {
  const known = ids.filter(isUuid)
  return db.select({ id: users.id, name: users.email }).from(users).where(inArray(users.id, known))
}

const NAME_SOURCES = { payment: namePayments, agreement: nameAgreements, bulk: nameBulks, user: nameUsers }

/**
 * Names of logged objects from the desk's own store, by kind and `idKey`: a payment's reference or handle, an
 * agreement's handle, a bulk's size, a user's e-mail.
 */
export async function nameObjects(db: Database, rows: readonly ObjectReference[]): Promise<Map<string, string>> {
  const [first] = rows
  const names = new Map<string, string>()
  if (!first) return names
  for (const [kind, readNames] of Object.entries(NAME_SOURCES)) {
    const ids = rows.filter(({ objectKind }) => objectKind === kind).map(({ objectId }) => idKey(objectId))
    if (ids.length === 0) continue
    for (const { id, name } of await readNames(db, first.connectionId, [...new Set(ids)]))
      if (name !== null) names.set(`${kind} ${id}`, name)
  }
  return names
}

type Row = typeof activity.$inferSelect

function getNoteId({ action, details }: Pick<Row, 'action' | 'details'>): string | null {
  const { noteId }: { noteId?: unknown } = Object(details)
  return action.startsWith('note.') && typeof noteId === 'string' && isUuid(noteId) ? noteId : null
}

/** What payments are called in notes, by the note's id. Browsers said so: it names nothing but the note's own rows. */
async function nameNoted(db: Database, rows: readonly Row[]): Promise<Map<string, string>> {
  const ids = rows.map(getNoteId).filter((id) => id !== null)
  const [first] = rows
  if (!first || ids.length === 0) return new Map()
  const { connectionId, objectKind, objectName } = notes
  const noted = await db
    .select({ id: notes.id, name: objectName })
    .from(notes)
    .where(
      and(
        eq(connectionId, first.connectionId),
        eq(objectKind, 'payment'),
        inArray(notes.id, [...new Set(ids)]),
        ne(objectName, ''),
      ),
    )
  return new Map(noted.map(({ id, name }) => [id, name]))
}

/** Midnight at the start of the day in the scheme's time zone. */
function startOfDay(day: string): Date {
  return new Date(timestampInZone(day, '00:00', getSettings().SCHEME_ZONE))
}

/** Viewers see all changes to records, but only their own sign-ins and changes of accounts and settings. */
function isReadable({ role, email }: Session): SQL | undefined {
  if (hasPermission(role, 'audit')) return undefined
  return or(notInArray(activity.objectKind, [...privateKinds]), eq(activity.actor, email))
}

function toCondition(session: Session, query: ActivityFilterQuery, after: number | undefined): SQL | undefined {
  const { person, kind, action, outcome, from, to, object } = query
  return and(
    eq(activity.connectionId, session.scope.connectionId),
    isReadable(session),
    after === undefined ? undefined : lt(activity.sequence, after),
    person === undefined ? undefined : sql`starts_with(${activity.actor}, ${person.toLowerCase()})`,
    kind === undefined ? undefined : eq(activity.objectKind, kind),
    action === undefined ? undefined : eq(activity.action, action),
    outcome === undefined ? undefined : eq(sql`(${activity.details} ->> 'outcome')`, outcome),
    from === undefined ? undefined : gte(activity.at, startOfDay(from)),
    to === undefined ? undefined : lt(activity.at, startOfDay(addDays(to, 1))),
    object === undefined ? undefined : inArray(activity.objectId, object),
  )
}

function readOutcome(details: object): ActivityOutcome | null {
  const { outcome }: { outcome?: unknown } = details
  return activityOutcomes.find((known) => known === outcome) ?? null
}

type KnownNames = { names: ReadonlyMap<string, string>; noted: ReadonlyMap<string, string> }

function toActivityView(row: Row, { names, noted }: KnownNames): ActivityView {
  const { sequence, at, actor, action, objectKind, objectId, details, hash } = row
  const fields = typeof details === 'object' && details !== null ? details : {}
  const outcome = readOutcome(fields)
  return {
    id: String(sequence),
    at: at.toISOString(),
    actor,
    action,
    objectKind,
    objectId,
    objectName: names.get(`${objectKind} ${idKey(objectId)}`) ?? noted.get(getNoteId(row) ?? '') ?? null,
    outcome,
    details: { ...fields },
    hash,
  }
}

type PageRequest = { query: ActivityFilterQuery; after?: number | undefined; limit?: number | undefined }

/** A page of the merchant's activity log, newest first, as far as the role permits. */
export async function listActivity(
  db: Database,
  session: Session,
  { query, after, limit = 50 }: PageRequest,
): Promise<Page<ActivityView>> {
  const rows = await db
    .select()
    .from(activity)
    .where(toCondition(session, query, after))
    .orderBy(desc(activity.sequence))
    .limit(limit + 1)
  const shown = rows.slice(0, limit)
  const known = { names: await nameObjects(db, shown), noted: await nameNoted(db, shown) }
  const results = shown.map((row) => toActivityView(row, known))
  const last = results.at(-1)
  const continuation =
    rows.length > limit && last ? ({ kind: 'more', after: last.id } as const) : ({ kind: 'end' } as const)
  return { results, unreadable: 0, continuation }
}

const CSV_HEADER = ['sequence', 'time_utc', 'person', 'action', 'outcome', 'kind', 'object', 'details', 'hash']

function toCsvCells({ id, at, actor, action, outcome, objectKind, objectId, details, hash }: ActivityView): string[] {
  return [id, at, actor, action, outcome ?? '', objectKind, objectId, JSON.stringify(details), hash]
}

/**
 * Streams the log as CSV, page by page at the reader's pace, so memory use is constant. If the store fails, the stream
 * errors, which fails the download.
 */
export function streamActivity(
  db: Database,
  session: Session,
  query: ActivityFilterQuery,
  flavour: CsvFlavour,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after: number | undefined
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(`\uFEFF${writeCsvRow(CSV_HEADER, flavour)}`)),
      pull: async (controller) => {
        const { results, continuation } = await listActivity(db, session, { query, after, limit: 500 })
        controller.enqueue(encoder.encode(results.map((row) => writeCsvRow(toCsvCells(row), flavour)).join('')))
        if (continuation.kind !== 'more') controller.close()
        else after = Number(continuation.after)
      },
    },
    { highWaterMark: 1 },
  )
}
