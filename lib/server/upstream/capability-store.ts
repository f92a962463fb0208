import { and, eq, gt, inArray, lt, or, sql } from 'drizzle-orm'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { Capability, CapabilityProofs, ListId } from '@/lib/domain/lists/capabilities'
import { capabilities } from '../store/schema'
import { CachedUntilWrite } from '../store/store'

const hour = 60 * 60 * 1_000
/** How long a proof counts. */
const proofLives = 24 * hour
/** How long it counts that an ability was found missing: what was in the way, such as a proxy, may be gone soon. */
const disproofLives = hour

/** What was proven of a list within the last day, or disproven within the last hour. */
export async function readProofRows(
  db: Database,
  connectionId: string,
  list: ListId,
  now = new Date(),
): Promise<CapabilityProofs> {
  const rows = await db
    .select({ ability: capabilities.proof, holds: capabilities.holds })
    .from(capabilities)
    .where(
      and(
        eq(capabilities.connectionId, connectionId),
        eq(capabilities.endpointId, list),
        gt(capabilities.provenAt, new Date(now.getTime() - proofLives)),
        or(eq(capabilities.holds, true), gt(capabilities.provenAt, new Date(now.getTime() - disproofLives))),
      ),
    )
  return Object.fromEntries(rows.map(({ ability, holds }) => [ability, holds]))
}

/** Remembers what was found at `now`. */
export async function writeProofRows(
  db: Database,
  connectionId: string,
  list: ListId,
  proofs: CapabilityProofs,
  now = new Date(),
): Promise<void> {
  const rows = Object.entries(proofs).map(([proof, holds]) => ({
    connectionId,
    endpointId: list,
    proof,
    holds,
    provenAt: now,
  }))
  if (rows.length === 0) return
  await db
    .insert(capabilities)
    .values(rows)
    .onConflictDoUpdate({
      target: [capabilities.connectionId, capabilities.endpointId, capabilities.proof],
      set: { holds: sql`excluded.holds`, provenAt: sql`excluded.proven_at` },
    })
}

/** Forgets what was found before `before`. */
export async function deleteProofRows(
  db: Database,
  connectionId: string,
  list: ListId,
  abilities: readonly Capability[],
  before: Date,
): Promise<void> {
  if (abilities.length === 0) return
  await db
    .delete(capabilities)
    .where(
      and(
        eq(capabilities.connectionId, connectionId),
        eq(capabilities.endpointId, list),
        inArray(capabilities.proof, [...abilities]),
        lt(capabilities.provenAt, before),
      ),
    )
}

type Store = Pick<OpenDatabase, 'db' | 'countWrites'>

const remembered = new CachedUntilWrite<CapabilityProofs>()

/**
 * What is known of a list's abilities at this moment. On a database that this process has to itself it is remembered
 * while nothing is written there; elsewhere it is read each time. Throws what the store throws.
 */
export function readKnownCapabilities(
  { db, countWrites }: Store,
  connectionId: string,
  list: ListId,
): Promise<CapabilityProofs> {
  return remembered.read(`${connectionId} ${list}`, countWrites, () => readProofRows(db, connectionId, list))
}

/** What one list of a connection can do, as all desks on the store know it together. */
export type ListCapabilities = {
  /** What is known at this moment; nothing where the store cannot be read. Never throws. */
  read: () => Promise<CapabilityProofs>
  /** Keeps what a reply has shown, if it is news. Never throws: what could not be kept is found out again. */
  note: (shown: CapabilityProofs) => Promise<void>
}

/** The capabilities of a list as the store keeps them, for code that has no session. */
export function openListCapabilities(store: Store, connectionId: string, list: ListId): ListCapabilities {
  const read = () => readKnownCapabilities(store, connectionId, list).catch((): CapabilityProofs => ({}))
  return {
    read,
    note: async (shown) => {
      const known = await read()
      const news = Object.entries(shown).filter(([ability, holds]) => known[ability] !== holds)
      await writeProofRows(store.db, connectionId, list, Object.fromEntries(news)).catch(() => undefined)
    },
  }
}
