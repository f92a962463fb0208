import type { BulkWait } from '@/lib/contract/bulk'

declare global {
  /** By connection, and owner where the work is one owner's alone: why its bulks wait, as this process knows it; on globalThis because Next loads this module once per graph. */
  var debitdeskBulkWaits: Map<string, BulkWait> | undefined
}

function getWaits(): Map<string, BulkWait> {
  return (globalThis.debitdeskBulkWaits ??= new Map())
}

const nameKey = (connectionId: string, ownerId: string) => `${connectionId} ${ownerId}`

/** Why a bulk of somebody's waits at this moment; null when it does not. */
export function readWait({ connectionId, userId }: { connectionId: string; userId: string }): BulkWait | null {
  return getWaits().get(nameKey(connectionId, userId)) ?? getWaits().get(nameKey(connectionId, '')) ?? null
}

/** Says why the bulks of a connection, or of one owner there, wait. Kept in memory: a store that is full could not take it. */
export function noteWait(
  { connectionId, ownerId = '' }: { connectionId: string; ownerId?: string | undefined },
  wait: BulkWait | null,
): void {
  const key = nameKey(connectionId, ownerId)
  if (wait) getWaits().set(key, wait)
  else getWaits().delete(key)
}
