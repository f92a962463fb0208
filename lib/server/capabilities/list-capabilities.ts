import type { ListId, Proofs } from '@/lib/contract/ability'
import type { OpenDatabase } from '@/lib/database/open-database'
import { RememberWhileStill } from '../remember-while-still'
import { readProofRows, writeProofRows } from './proof-rows'

type Store = Pick<OpenDatabase, 'db' | 'countWrites'>

const remembered = new RememberWhileStill<Proofs>()

/**
 * What is known of a list's abilities at this moment. On a database that this process has to itself it is remembered
 * while nothing is written there; elsewhere it is read each time. Throws what the store throws.
 */
export function readKnownProofs({ db, countWrites }: Store, connectionId: string, list: ListId): Promise<Proofs> {
  return remembered.read(`${connectionId} ${list}`, countWrites, () => readProofRows(db, connectionId, list))
}

/** What one list of a connection can do, as all desks on the store know it together. */
export type ListCapabilities = {
  /** What is known at this moment; nothing where the store cannot be read. Never throws. */
  read: () => Promise<Proofs>
  /** Keeps what a reply has shown, if it is news. Never throws: what could not be kept is found out again. */
  note: (shown: Proofs) => Promise<void>
}

/** The capabilities of a list as the store keeps them, for code that has no session. */
export function openListCapabilities(store: Store, connectionId: string, list: ListId): ListCapabilities {
  const read = () => readKnownProofs(store, connectionId, list).catch((): Proofs => ({}))
  return {
    read,
    note: async (shown) => {
      const known = await read()
      const news = Object.entries(shown).filter(([ability, holds]) => known[ability] !== holds)
      await writeProofRows(store.db, connectionId, list, Object.fromEntries(news)).catch(() => undefined)
    },
  }
}
