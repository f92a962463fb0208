import { and, desc, eq, gte, inArray, lt, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { type ActivityOutcome, type ActivityView, activityOutcomes, privateKinds } from '@/lib/contract/activity'
import { addDays } from '@/lib/contract/business-days'
import { idKey } from '@/lib/contract/ids'
import type { Page } from '@/lib/contract/page'
import { mayRole } from '@/lib/contract/permission'
import type { Database } from '@/lib/database/open-database'
import { momentInZone } from '@/lib/format/zoned-moment'
import type { Session } from '../session'
import { getSettings } from '../settings'
import { activity } from '../store/schema'
import type { ActivityFilterQuery } from './activity-query'
import { nameObjects } from './name-objects'

type Row = typeof activity.$inferSelect

/** The moment at which a day begins in the scheme's zone. */
function startOf(day: string): Date {
  return new Date(momentInZone(day, '00:00', getSettings().SCHEME_ZONE))
}

/** Who may only read sees what others did to records, and of signing in, accounts and settings no more than their own. */
function mayRead({ role, email }: Session): SQL | undefined {
  if (mayRole(role, 'cancel')) return undefined
  return or(notInArray(activity.objectKind, [...privateKinds]), eq(activity.actor, email))
}

function describeRows(session: Session, query: ActivityFilterQuery, after: number | undefined): SQL | undefined {
  const { person, kind, action, outcome, from, to, object } = query
  return and(
    eq(activity.connectionId, session.scope.connectionId),
    mayRead(session),
    after === undefined ? undefined : lt(activity.sequence, after),
    person === undefined ? undefined : sql`starts_with(${activity.actor}, ${person.toLowerCase()})`,
    kind === undefined ? undefined : eq(activity.objectKind, kind),
    action === undefined ? undefined : eq(activity.action, action),
    outcome === undefined ? undefined : eq(sql`(${activity.details} ->> 'outcome')`, outcome),
    from === undefined ? undefined : gte(activity.at, startOf(from)),
    to === undefined ? undefined : lt(activity.at, startOf(addDays(to, 1))),
    object === undefined ? undefined : inArray(activity.objectId, object),
  )
}

function readOutcome(details: object): ActivityOutcome | null {
  const { outcome }: { outcome?: unknown } = details
  return activityOutcomes.find((known) => known === outcome) ?? null
}

function viewRow(row: Row, names: ReadonlyMap<string, string>): ActivityView {
  const { sequence, at, actor, action, objectKind, objectId, details, hash } = row
  const held = typeof details === 'object' && details !== null ? details : {}
  const outcome = readOutcome(held)
  return {
    id: String(sequence),
    at: at.toISOString(),
    actor,
    action,
    objectKind,
    objectId,
    objectName: names.get(`${objectKind} ${idKey(objectId)}`) ?? null,
    outcome,
    details: { ...held },
    hash,
  }
}

type Asked = { query: ActivityFilterQuery; after?: number | undefined; limit?: number | undefined }

/**
 * A page of the activity log of the session's merchant, newest first, as far as the session's role may see
 * it. The page after it begins where this one ends, whatever was written meanwhile.
 */
export async function listActivity(
  db: Database,
  session: Session,
  { query, after, limit = 50 }: Asked,
): Promise<Page<ActivityView>> {
  const rows = await db
    .select()
    .from(activity)
    .where(describeRows(session, query, after))
    .orderBy(desc(activity.sequence))
    .limit(limit + 1)
  const shown = rows.slice(0, limit)
  const names = await nameObjects(db, shown)
  const results = shown.map((row) => viewRow(row, names))
  const last = results.at(-1)
  const continuation =
    rows.length > limit && last ? ({ kind: 'more', after: last.id } as const) : ({ kind: 'end' } as const)
  return { results, unreadable: 0, continuation }
}
