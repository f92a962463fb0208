import { createHash } from 'node:crypto'
import { type Json, writeCanonicalJson } from './canonical-json'

/** One row of the activity log as it is hashed. */
export type ChainedEntry = {
  sequence: number
  connectionId: string
  at: Date
  actor: string
  action: string
  objectKind: string
  objectId: string
  details: Json
}

/** Stands before the first row. */
export const genesisHash = '0'.repeat(64)

/** The hash of a row: SHA-256 over the hash of the row before it and the row's canonical JSON, in hex. */
export function hashEntry(previousHash: string, entry: ChainedEntry): string {
  const { sequence, connectionId, at, actor, action, objectKind, objectId, details } = entry
  const row = { sequence, connectionId, at: at.toISOString(), actor, action, objectKind, objectId, details }
  return createHash('sha256').update(previousHash).update(writeCanonicalJson(row)).digest('hex')
}
