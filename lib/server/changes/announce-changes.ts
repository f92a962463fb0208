import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '@/lib/database/database'
import { type ChangeKind, changeKinds, MAX_CHANGED_IDS } from '@/lib/domain/changes'

/** The channel of all desks on a database. */
export const changeChannel = 'debitdesk_changes'

/** That something changed, without what it is now. `access`: who may read what, which open streams must be checked for. */
export type Change = {
  /** Null only with `access`: at every merchant. */
  connectionId: string | null
  kind: ChangeKind | 'access'
  /** An id that says nothing about people; none where it may be any of the kind. */
  id?: string | undefined
  /** The only user it is told to; else everybody of the merchant who may read the kind. */
  userId?: string
}

const kindNames = Object.keys(changeKinds) as [ChangeKind, ...ChangeKind[]]

/** A notification: changes of one kind at one merchant. */
const changeMessage = z.object({
  connectionId: z.string().nullable(),
  kind: z.enum([...kindNames, 'access']),
  /** Null for any. */
  ids: z.array(z.string()).nullable(),
  userId: z.string().nullable(),
})
export type ChangeMessage = z.output<typeof changeMessage>

/** Null for a payload that isn't ours, such as that of a later version. */
export function parseChangeMessage(payload: string): ChangeMessage | null {
  try {
    return changeMessage.safeParse(JSON.parse(payload)).data ?? null
  } catch {
    return null
  }
}

/** Postgres refuses payloads of 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_000

function writePayload(message: ChangeMessage): string {
  const payload = JSON.stringify(message)
  const fits = (message.ids?.length ?? 0) <= MAX_CHANGED_IDS && Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES
  return fits ? payload : JSON.stringify({ ...message, ids: null })
}

/** The notifications of these changes as columns of a select; none without changes. */
export function notifyColumns(changes: readonly Change[]): SQL[] {
  const messages = new Map<string, ChangeMessage>()
  for (const { connectionId, kind, id, userId = null } of changes) {
    const key = JSON.stringify([connectionId, kind, userId])
    const known = messages.get(key)
    const ids = id === undefined || known?.ids === null ? null : [...new Set([...(known?.ids ?? []), id])]
    messages.set(key, { connectionId, kind, ids, userId })
  }
  return [...messages.values()].map((message) => sql`pg_notify(${changeChannel}, ${writePayload(message)})`)
}

/**
 * Announces changes to all desks on the database. In a transaction they are delivered when it commits, and not if it is
 * undone.
 */
export async function announceChanges(tx: Database, changes: readonly Change[]): Promise<void> {
  const columns = notifyColumns(changes)
  if (columns.length > 0) await tx.execute(sql`select ${sql.join(columns, sql`, `)}`)
}

/** Announces that a bulk has changed, for changes without an entry of the activity log. */
export function announceBulk(tx: Database, { connectionId, id }: { connectionId: string; id: string }): Promise<void> {
  return announceChanges(tx, [{ connectionId, kind: 'bulk', id }])
}

/** Announces to its owner, the only one who sees it, that an export has changed. */
export function announceExport(
  tx: Database,
  { connectionId, id, userId }: { connectionId: string; id: string; userId: string },
): Promise<void> {
  return announceChanges(tx, [{ connectionId, kind: 'export', id, userId }])
}
