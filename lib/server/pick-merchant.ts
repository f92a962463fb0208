import { noteSeldom } from './activity/note-activity'
import { Failure } from './failure'
import { countSecurityEvent, logSecurityEvent } from './security-log'
import type { LiveSession, Merchant } from './session-rows'
import { defaultConnectionId } from './store/default-connection'
import * as refusals from '@/lib/words/refusals'

/** How far apart two entries about the same user are at least, in milliseconds. */
const noted = 15 * 60_000

/** Who reaches for another's merchant is written down where the user's own admins see it (AZ-04, AZ-09). */
function noteRefusal({ userId, email, merchants }: LiveSession, named: string): void {
  const objectId = named.slice(0, 100)
  const entry = { connectionId: merchants[0].connectionId, actor: email, objectKind: 'setting', objectId, details: {} }
  const line = { event: 'denied', code: 'not-found', merchant: objectId, userId }
  if (noteSeldom(`merchant ${userId}`, noted, { ...entry, action: 'merchant.refused', outcome: 'refused' }))
    logSecurityEvent(line)
  else countSecurityEvent(`another merchant asked for by ${userId}`)
}

/**
 * The merchant that a request is for: the one it names, else the user's only one, the last one or the settings' own.
 * Throws Failure 'not-found' where the named one is not the user's, whether it exists or not (AZ-04).
 */
export function pickMerchant(live: LiveSession, named: string | null): Merchant {
  const { merchants, lastConnectionId } = live
  const find = (id: string | null) => merchants.find(({ connectionId }) => connectionId === id)
  if (named === null) return find(lastConnectionId) ?? find(defaultConnectionId) ?? merchants[0]
  const merchant = find(named)
  if (merchant) return merchant
  noteRefusal(live, named)
  throw new Failure('not-found', { detail: refusals.thereIsNoSuchMerchant })
}
