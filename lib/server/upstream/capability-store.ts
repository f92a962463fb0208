import { and, eq, gt, inArray, lt, or, sql } from 'drizzle-orm'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { Capability, CapabilityProofs, ListId } from '@/lib/domain/lists/capabilities'
import { capabilities } from '../store/schema'
import { CachedUntilWrite } from '../store/store'
import type { Connection } from './connection'

const HOUR_MS = 60 * 60 * 1_000
const PROOF_LIFETIME_MS = 24 * HOUR_MS
/** Shorter, because the obstacle, such as a proxy, may be gone soon. */
const DISPROOF_LIFETIME_MS = HOUR_MS
/** Of what had been proven: the obstacle has only just come. */
const FRESH_DISPROOF_LIFETIME_MS = 5 * 60 * 1_000

/** A connection at its present address: what was proven at an earlier one says nothing of the provider at this one. */
type Service = Pick<Connection, 'connectionId' | 'baseUrl'>

/** A list at a service's address, as stored. */
export function nameList({ baseUrl }: Service, list: ListId): string {
  return `${list} ${baseUrl.href}`
}

/** The capabilities proven within the last day or disproven within the last hour (or five minutes, see `note`). */
export async function readProofRows(
  db: Database,
  service: Service,
  list: ListId,
  now = new Date(),
): Promise<CapabilityProofs> {
  const rows = await db
    .select({ ability: capabilities.proof, holds: capabilities.holds })
    .from(capabilities)
    .where(
      and(
        eq(capabilities.connectionId, service.connectionId),
        eq(capabilities.endpointId, nameList(service, list)),
        gt(capabilities.provenAt, new Date(now.getTime() - PROOF_LIFETIME_MS)),
        or(eq(capabilities.holds, true), gt(capabilities.provenAt, new Date(now.getTime() - DISPROOF_LIFETIME_MS))),
      ),
    )
  return Object.fromEntries(rows.map(({ ability, holds }) => [ability, holds]))
}

export async function writeProofRows(
  db: Database,
  service: Service,
  list: ListId,
  proofs: CapabilityProofs,
  now = new Date(),
): Promise<void> {
  const rows = Object.entries(proofs).map(([proof, holds]) => ({
    connectionId: service.connectionId,
    endpointId: nameList(service, list),
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

/** Deletes the proofs found before `before`. */
export async function deleteProofRows(
  db: Database,
  service: Service,
  list: ListId,
  abilities: readonly Capability[],
  before: Date,
): Promise<void> {
  if (abilities.length === 0) return
  await db
    .delete(capabilities)
    .where(
      and(
        eq(capabilities.connectionId, service.connectionId),
        eq(capabilities.endpointId, nameList(service, list)),
        inArray(capabilities.proof, [...abilities]),
        lt(capabilities.provenAt, before),
      ),
    )
}

type Store = Pick<OpenDatabase, 'db' | 'countWrites'>

const cache = new CachedUntilWrite<CapabilityProofs>()

/**
 * The known capabilities of a list. Cached until the next write if this process has the database to itself, else read
 * each time. Throws store errors.
 */
export function readKnownCapabilities(
  { db, countWrites }: Store,
  service: Service,
  list: ListId,
): Promise<CapabilityProofs> {
  const key = `${service.connectionId} ${nameList(service, list)}`
  return cache.read(key, countWrites, () => readProofRows(db, service, list))
}

/** The capabilities of one list of a connection, shared by all desks on the store. */
export type ListCapabilities = {
  /** What is known now; empty when the store cannot be read. Never throws. */
  read: () => Promise<CapabilityProofs>
  /** Stores what a reply has shown, if new; that what was proven fails, for five minutes. Never throws: a lost result is found again. */
  note: (shown: CapabilityProofs) => Promise<void>
}

/** The stored capabilities of a list, for code without a session. */
export function openListCapabilities(store: Store, service: Service, list: ListId): ListCapabilities {
  const read = () => readKnownCapabilities(store, service, list).catch((): CapabilityProofs => ({}))
  return {
    read,
    note: async (shown) => {
      const known = await read()
      const news = Object.entries(shown).filter(([ability, holds]) => known[ability] !== holds)
      const [lost, others] = [news.filter(([ability]) => known[ability]), news.filter(([ability]) => !known[ability])]
      const lostAt = new Date(Date.now() - DISPROOF_LIFETIME_MS + FRESH_DISPROOF_LIFETIME_MS)
      await writeProofRows(store.db, service, list, Object.fromEntries(others)).catch(() => undefined)
      await writeProofRows(store.db, service, list, Object.fromEntries(lost), lostAt).catch(() => undefined)
    },
  }
}
