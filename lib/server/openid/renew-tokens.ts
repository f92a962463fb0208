import { and, eq } from 'drizzle-orm'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '@/lib/database/open-database'
import { databaseTime } from '@/lib/database/store-clock'
import { longestRequest, requestToken } from '../credentials/request-token'
import { Failure } from '../failure'
import { getSettings } from '../settings'
import { isPast } from '../store/lease'
import { providerTokens } from '../store/provider-schema'
import * as refusals from '@/lib/words/refusals'
import { readProviderMetadata } from './provider-metadata'
import { dropProviderTokens, findProviderTokens, type HeldTokens, replaceProviderTokens } from './provider-tokens'

declare global {
  /** By session: one renewal at a time. One per process: Next loads this module once per graph. */
  var debitdeskRenewals: Map<string, Promise<HeldTokens | null>> | undefined
}

/**
 * How long one process may take, in milliseconds; another then tries itself. More than a renewal can need, with the
 * provider's metadata read first: a provider takes a second use of one refresh token for theft and ends the sign-in.
 */
const turn = longestRequest + 14_000
const look = 200

/** Takes the turn to renew; false while another process has it. */
async function takeTurn(db: Database, { sessionId, revision }: HeldTokens): Promise<boolean> {
  const taken = await db
    .update(providerTokens)
    .set({ renewingUntil: databaseTime(turn) })
    .where(
      and(
        eq(providerTokens.sessionId, sessionId),
        eq(providerTokens.revision, revision),
        isPast(providerTokens.renewingUntil),
      ),
    )
    .returning({ sessionId: providerTokens.sessionId })
  return taken.length > 0
}

/** Gives the turn back without new tokens, so that nobody waits for its end. */
async function leaveTurn(db: Database, { sessionId, revision }: HeldTokens): Promise<void> {
  const isThis = and(eq(providerTokens.sessionId, sessionId), eq(providerTokens.revision, revision))
  await db.update(providerTokens).set({ renewingUntil: null }).where(isThis)
}

async function ask(db: Database, held: HeldTokens, refresh: string): Promise<void> {
  const { OIDC_CLIENT_ID: id = '', OIDC_CLIENT_SECRET: secret = '' } = getSettings()
  const grant = { grant_type: 'refresh_token', refresh_token: refresh }
  try {
    const url = new URL((await readProviderMetadata()).token_endpoint)
    const given = await requestToken({ url, id, secret, grant }, 'basic')
    // A refresh token that rotates replaces the one before; one that does not stays.
    const tokens = { access: given.value, refresh: given.refresh ?? refresh }
    await replaceProviderTokens(db, held, tokens, new Date(Date.now() + given.lifetime))
  } catch (error) {
    const status = error instanceof Failure ? error.evidence.upstream?.status : undefined
    // The provider's own word that it is over; whatever else failed may be tried again.
    if (status === 400 || status === 401) await dropProviderTokens(db, held)
    else {
      await leaveTurn(db, held)
      throw error
    }
  }
}

async function renew(db: Database, held: HeldTokens): Promise<HeldTokens | null> {
  const owner = { sessionId: held.sessionId }
  for (const until = Date.now() + turn; Date.now() < until; ) {
    if (held.refresh !== null && (await takeTurn(db, held))) {
      await ask(db, held, held.refresh)
      return findProviderTokens(db, owner, new Date())
    }
    const now = await findProviderTokens(db, owner, new Date())
    if (now === null || now.revision !== held.revision || held.refresh === null) return now
    await wait(look)
  }
  throw new Failure('upstream-timeout', { detail: refusals.noAccessTokenCouldBeFetched, written: false })
}

/**
 * Renews the access token of a sign-in, once however many ask at the same time; in another process too. Answers the
 * tokens as they then are, or null where the provider gives no more. Throws Failure 'upstream-unreachable',
 * 'upstream-timeout' or 'upstream-credential', always with evidence.written false.
 */
export function renewTokens(db: Database, held: HeldTokens): Promise<HeldTokens | null> {
  const running = (globalThis.debitdeskRenewals ??= new Map())
  const known = running.get(held.sessionId)
  if (known) return known
  const renewal = renew(db, held).finally(() => running.delete(held.sessionId))
  running.set(held.sessionId, renewal)
  return renewal
}
