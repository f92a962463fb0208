import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { type Connection, dropConnection, findKeptConnection, setConnection } from '../connection'
import { defaultConnectionId } from '../store/default-connection'
import { connections } from '../store/schema'
import { openConnection } from './open-connection'

/**
 * Sees to it that `getConnection` answers this connection as the store has it at `revision`. Another process
 * may have changed it; what is up to date is not read again.
 */
export async function keepConnection(
  db: Database,
  { connectionId, revision }: { connectionId: string; revision: number },
): Promise<void> {
  if (connectionId === defaultConnectionId || findKeptConnection(connectionId)?.revision === revision) return
  const [row] = await db
    .select()
    .from(connections)
    .where(and(eq(connections.connectionId, connectionId), isNull(connections.removedAt)))
  if (row?.settings) setConnection(openConnection({ ...row, settings: row.settings }))
  else dropConnection(connectionId)
}

/** All connections that users have added and not removed, kept up to date. */
export async function keepConnections(db: Database): Promise<Connection[]> {
  const rows = await db
    .select({ connectionId: connections.connectionId, revision: connections.revision })
    .from(connections)
    .where(and(isNull(connections.removedAt), isNotNull(connections.settings)))
  for (const row of rows) await keepConnection(db, row)
  return rows.map(({ connectionId }) => findKeptConnection(connectionId)).filter((kept) => kept !== undefined)
}
