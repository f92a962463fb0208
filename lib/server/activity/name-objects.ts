import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { idKey, isUuid } from '@/lib/contract/ids'
import type { Database } from '@/lib/database/open-database'
import { bulks } from '../store/bulk-schema'
import { idKeyOf } from '../store/id-key'
import { agreements, cancellations, users } from '../store/schema'

type Named = { connectionId: string; objectKind: string; objectId: string }
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
  const mine = and(eq(bulks.connectionId, connectionId), inArray(bulks.id, ids.filter(isUuid)))
  const rows = await db.select({ id: bulks.id, count: bulks.count }).from(bulks).where(mine)
  return rows.map(({ id, count }) => ({ id, name: `of ${count} ${count === 1 ? 'payment' : 'payments'}` }))
}

function nameUsers(db: Database, _: string, ids: string[]): Promise<Names> {
  const known = ids.filter(isUuid)
  return db.select({ id: users.id, name: users.email }).from(users).where(inArray(users.id, known))
}

const sources = { payment: namePayments, agreement: nameAgreements, bulk: nameBulks, user: nameUsers }

/**
 * What people call the objects of rows of the log, as far as the desk's own store knows: the reference or handle of
 * a payment, the handle of an agreement, the size of a bulk, the e-mail of a user. By kind and `idKey`.
 */
export async function nameObjects(db: Database, rows: readonly Named[]): Promise<Map<string, string>> {
  const [first] = rows
  const names = new Map<string, string>()
  if (!first) return names
  for (const [kind, read] of Object.entries(sources)) {
    const ids = rows.filter(({ objectKind }) => objectKind === kind).map(({ objectId }) => idKey(objectId))
    if (ids.length === 0) continue
    for (const { id, name } of await read(db, first.connectionId, [...new Set(ids)]))
      if (name !== null) names.set(`${kind} ${id}`, name)
  }
  return names
}
