import type { BulkWait } from '@/lib/contract/bulk'

declare global {
  /** By connection: why its bulks wait, as this process knows it; on globalThis because Next loads this module once per graph. */
  var debitdeskBulkWaits: Map<string, BulkWait> | undefined
}

function getWaits(): Map<string, BulkWait> {
  return (globalThis.debitdeskBulkWaits ??= new Map())
}

/** Why the bulks of a connection wait at this moment; null when they do not. */
export function readWait(connectionId: string): BulkWait | null {
  return getWaits().get(connectionId) ?? null
}

/** Says why the bulks of a connection wait. Kept in memory: a store that is full could not take it. */
export function noteWait(connectionId: string, wait: BulkWait | null): void {
  if (wait) getWaits().set(connectionId, wait)
  else getWaits().delete(connectionId)
}
