import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '@/lib/database/open-database'
import { openSecret, sealSecret } from '../seal-secret'
import { absoluteLifetime, idleLifetime } from '../session-cookie'
import { providerTokens } from '../store/provider-schema'
import { sessions, users } from '../store/schema'

/** What is kept of a provider's tokens: the user's own access token, and what renews it. */
const kept = z.object({ access: z.string(), refresh: z.string().nullable() })
export type KeptTokens = z.output<typeof kept>

/** As a token endpoint gives them. `expiresAt` is a moment; without one, a short life is assumed. */
export type GivenTokens = { access: string | null; refresh: string | null; expiresAt: Date | null }

/** What is assumed of a token that does not say how long it lives, in milliseconds. */
const silentLifetime = 300_000

/** Bound to its session: sealed text that is moved to another row does not open there. */
export const tokensPurpose = (sessionId: string) => `provider tokens of session ${sessionId}`

/** What next-auth hands on of the token endpoint's answer. */
export function readGivenTokens(account: Readonly<Record<string, unknown>>): GivenTokens {
  const { access_token: access, refresh_token: refresh, expires_at: expires } = account
  return {
    access: typeof access === 'string' ? access : null,
    refresh: typeof refresh === 'string' ? refresh : null,
    expiresAt: typeof expires === 'number' ? new Date(expires * 1_000) : null,
  }
}

function seal(sessionId: string, tokens: KeptTokens): string {
  return sealSecret(JSON.stringify(tokens), tokensPurpose(sessionId))
}

/**
 * Keeps what a sign-in brought, sealed; in its transaction. Without an access token nothing is kept. What sign-ins that
 * have ended left behind goes.
 */
export async function keepProviderTokens(
  tx: Database,
  sessionId: string,
  given: GivenTokens,
  now: Date,
): Promise<void> {
  const ended = tx.select({ id: sessions.id }).from(sessions).where(isNotNull(sessions.endedAt))
  await tx.delete(providerTokens).where(inArray(providerTokens.sessionId, ended))
  if (given.access === null) return
  const tokens = seal(sessionId, { access: given.access, refresh: given.refresh })
  const expiresAt = given.expiresAt ?? new Date(now.getTime() + silentLifetime)
  await tx.insert(providerTokens).values({ sessionId, tokens, expiresAt })
}

/** The tokens of a sign-in that still holds, of the user's newest where `sessionId` is null. */
export type HeldTokens = KeptTokens & { sessionId: string; expiresAt: Date; revision: number }

/** Null where there is none, or where they were sealed with an earlier secret. */
export async function findProviderTokens(
  db: Database,
  owner: { sessionId: string } | { userId: string },
  now: Date,
): Promise<HeldTokens | null> {
  const rows = await db
    .select({
      sessionId: providerTokens.sessionId,
      tokens: providerTokens.tokens,
      expiresAt: providerTokens.expiresAt,
      revision: providerTokens.revision,
    })
    .from(providerTokens)
    .innerJoin(sessions, eq(sessions.id, providerTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        'sessionId' in owner ? eq(sessions.id, owner.sessionId) : eq(sessions.userId, owner.userId),
        isNull(sessions.endedAt),
        isNull(users.disabledAt),
        gt(sessions.createdAt, new Date(now.getTime() - absoluteLifetime * 1_000)),
        gt(sessions.lastSeenAt, new Date(now.getTime() - idleLifetime * 1_000)),
      ),
    )
    .orderBy(sql`${sessions.createdAt} desc`)
  for (const { tokens, ...row } of rows) {
    const text = openSecret(tokens, tokensPurpose(row.sessionId))
    const read = text === null ? null : kept.safeParse(JSON.parse(text))
    if (read?.success) return { ...read.data, ...row }
  }
  return null
}

/** Replaces tokens that were renewed; false where somebody else has done so since `revision`. */
export async function replaceProviderTokens(
  db: Database,
  { sessionId, revision }: Pick<HeldTokens, 'sessionId' | 'revision'>,
  tokens: KeptTokens,
  expiresAt: Date,
): Promise<boolean> {
  const changed = await db
    .update(providerTokens)
    .set({
      tokens: seal(sessionId, tokens),
      expiresAt,
      revision: sql`${providerTokens.revision} + 1`,
      renewingUntil: null,
    })
    .where(and(eq(providerTokens.sessionId, sessionId), eq(providerTokens.revision, revision)))
    .returning({ sessionId: providerTokens.sessionId })
  return changed.length > 0
}

/** Forgets tokens that the provider takes no more. */
export async function dropProviderTokens(
  db: Database,
  { sessionId, revision }: Pick<HeldTokens, 'sessionId' | 'revision'>,
): Promise<void> {
  await db
    .delete(providerTokens)
    .where(and(eq(providerTokens.sessionId, sessionId), eq(providerTokens.revision, revision)))
}
