import { recordActivityOncePer } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import { countSecurityEvent, logSecurityEvent } from '../runtime/security-log'
import { defaultConnectionId } from '../store/schema'
import type { LiveSession, Merchant } from './sessions'
import * as refusals from '@/lib/words/refusals'

declare const minted: unique symbol

/** The merchant that a request may touch. Branded: only what has read the membership from the store mints one. */
export type TenantScope = { readonly connectionId: string; readonly [minted]: true }

/**
 * Mints a scope. For `session.ts` and what goes on with an owner's work later (`imports/resume-waiting.ts`) alone (and
 * tests), after the membership was read from the store.
 */
export function createTenantScope(connectionId: string): TenantScope {
  return { connectionId } as TenantScope
}

/** The query parameter of pages and downloads that says which merchant they are for. */
export const merchantParameter = 'merchant'

/** The header of calls that says the same. */
export const merchantHeader = 'x-debitdesk-merchant'

/**
 * Which merchant a call to the desk's own routes names, in its header or, where a link cannot send one, in its
 * address; null for none. Throws AppError 'bad-request' where it names two.
 */
export function getRequestedMerchant({ headers, url }: Request): string | null {
  const inAddress = new URL(url).searchParams.getAll(merchantParameter)
  const inHeader = headers.get(merchantHeader)
  const named = new Set([...inAddress, ...(inHeader === null ? [] : [inHeader])])
  if (named.size > 1) throw new AppError('bad-request', { detail: refusals.theRequestNamesTwoMerchants })
  return [...named][0] ?? null
}

/** Which merchant the address of a page names; null for none, or for more than one. */
export function parsePageMerchant(path: string): string | null {
  const named = new URL(path, 'http://desk.invalid').searchParams.getAll(merchantParameter)
  return named.length === 1 ? (named[0] ?? null) : null
}

/** The same page, naming its merchant. */
export function addMerchantParam(path: string, connectionId: string): string {
  const url = new URL(path, 'http://desk.invalid')
  url.searchParams.set(merchantParameter, connectionId)
  return `${url.pathname}${url.search}`
}

/** How far apart two entries about the same user are at least, in milliseconds. */
const noted = 15 * 60_000

/** Who reaches for another's merchant is written down where the user's own admins see it (AZ-04, AZ-09). */
function noteRefusal({ userId, email, merchants }: LiveSession, named: string): void {
  const objectId = named.slice(0, 100)
  const entry = { connectionId: merchants[0].connectionId, actor: email, objectKind: 'setting', objectId, details: {} }
  const line = { event: 'denied', code: 'not-found', merchant: objectId, userId }
  if (recordActivityOncePer(`merchant ${userId}`, noted, { ...entry, action: 'merchant.refused', outcome: 'refused' }))
    logSecurityEvent(line)
  else countSecurityEvent(`another merchant asked for by ${userId}`)
}

/**
 * The merchant that a request is for: the one it names, else the user's only one, the last one or the settings' own.
 * Throws AppError 'not-found' where the named one is not the user's, whether it exists or not (AZ-04).
 */
export function pickMerchant(live: LiveSession, named: string | null): Merchant {
  const { merchants, lastConnectionId } = live
  const find = (id: string | null) => merchants.find(({ connectionId }) => connectionId === id)
  if (named === null) return find(lastConnectionId) ?? find(defaultConnectionId) ?? merchants[0]
  const merchant = find(named)
  if (merchant) return merchant
  noteRefusal(live, named)
  throw new AppError('not-found', { detail: refusals.thereIsNoSuchMerchant })
}
