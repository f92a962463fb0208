import { and, asc, eq, gt, inArray, lte, max, min, or, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { isStorable } from '@/lib/domain/text/is-storable'
import { appendActivity } from '../activity-log/append'
import type { Json } from '../activity-log/canonical-json'
import { eraseTexts } from '../activity-log/commitments'
import { hashRewritten, REWRITTEN_ACTION, toChainedRow } from '../activity-log/hash-chain'
import { activity } from '../store/schema'
import { isErasable, isOwnId, type Person } from './person'
import { definePlace } from './place'

type Row = typeof activity.$inferSelect

/** Rows of the log per statement, of which those that may concern the person are read. */
const WINDOW = 1_000

/**
 * A part of each searched value that is written in one way only, to let the database look first: letters beyond ASCII have
 * forms that it may not know to be equal. Null if a value has no such part.
 */
export function pickFragments({ searched }: Person): string[] | null {
  const fragments = searched.map((value) =>
    (value.match(/[a-z0-9]{2,}/giu) ?? []).reduce((one, other) => (other.length > one.length ? other : one), ''),
  )
  return fragments.includes('') ? null : fragments
}

async function* readPages(db: Database, person: Person): AsyncGenerator<Row[]> {
  const { connectionId, ids } = person
  const ofMerchant = eq(activity.connectionId, connectionId)
  const [ends] = await db
    .select({ first: min(activity.sequence), last: max(activity.sequence) })
    .from(activity)
    .where(ofMerchant)
  const fragments = pickFragments(person)
  const mentions = fragments?.map((one) => sql`${activity.details}::text ilike ${`%${one}%`}`)
  const own = JSON.stringify([...ids].filter(isStorable))
  const isOwn = sql`lower(${activity.objectId}) in (select lower(jsonb_array_elements_text(${own}::jsonb)))`
  for (let after = (ends?.first ?? 1) - 1; after < (ends?.last ?? 0); after += WINDOW) {
    const window = and(ofMerchant, gt(activity.sequence, after), lte(activity.sequence, after + WINDOW))
    yield await db
      .select()
      .from(activity)
      .where(and(window, mentions ? or(isOwn, ...mentions) : undefined))
      .orderBy(asc(activity.sequence))
  }
}

/** Guarantee: a jsonb column returns only JSON values. */
const asJson = (details: unknown) => details as Json

/** The member that a text or a list of texts belongs to. */
const memberOf = (path: string) => path.split('/').findLast((name) => !/^\d+$/u.test(name)) ?? ''

function eraseRow(row: Row, person: Person) {
  const isOwn = isOwnId(person, row.objectId)
  return eraseTexts(asJson(row.details), row.salts, (text, path) => isErasable(person, isOwn, text, memberOf(path)))
}

/** Rows whose texts were not hashed one by one: what they say now is recorded by one more row. */
async function recordRewritten(tx: Database, rows: readonly Row[], { connectionId }: Person): Promise<void> {
  if (rows.length === 0) return
  const hashes = rows.map((row) => [String(row.sequence), hashRewritten(toChainedRow(row))])
  await appendActivity(tx, {
    connectionId,
    actor: 'desk',
    action: REWRITTEN_ACTION,
    objectKind: 'retention',
    objectId: 'none',
    details: { rows: Object.fromEntries(hashes) },
  })
}

/** Entries of the activity log: the texts go, their hashes, codes, ids and times stay. */
export const activityPlace = definePlace<Row, { details: Json; salts: Row['salts'] }>({
  kind: 'activity',
  pages: readPages,
  inspect: (row, person) => {
    const { details, salts, count } = eraseRow(row, person)
    if (count === 0 && !isOwnId(person, row.objectId)) return null
    const { sequence, at, actor, action, objectKind, objectId } = row
    const shown = { sequence, at, actor, action, objectKind, objectId, details: row.details }
    return { shown, change: count === 0 ? null : { details, salts }, open: null }
  },
  lock: (tx, rows) =>
    tx
      .select()
      .from(activity)
      .where(
        inArray(
          activity.sequence,
          rows.map(({ sequence }) => sequence),
        ),
      )
      .for('update'),
  store: async (tx, changes, { person }) => {
    for (const { row, change } of changes) {
      const set = { details: change.details, salts: change.salts }
      await tx.update(activity).set(set).where(eq(activity.sequence, row.sequence))
    }
    const old = changes.filter(({ row }) => row.salts === null)
    await recordRewritten(
      tx,
      old.map(({ row, change }) => ({ ...row, details: change.details })),
      person,
    )
  },
})
