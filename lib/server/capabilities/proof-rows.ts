import { and, eq, gt, inArray, lt, or, sql } from 'drizzle-orm'
import type { Ability, ListId, Proofs } from '@/lib/contract/ability'
import type { Database } from '@/lib/database/open-database'
import { capabilities } from '../store/schema'

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
): Promise<Proofs> {
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
  proofs: Proofs,
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
  abilities: readonly Ability[],
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
