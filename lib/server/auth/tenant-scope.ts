import { recordActivityOncePer } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import { countSecurityEvent, logSecurityEvent } from '../runtime/security-log'
import { defaultConnectionId } from '../store/schema'
import type { LiveSession, Merchant } from './sessions'
import * as m from '@/lib/messages/m'

declare const tenantScopeBrand: unique symbol

/** The merchant a request may access. Branded: only created after reading the membership from the store. */
export type TenantScope = { readonly connectionId: string; readonly [tenantScopeBrand]: true }

/**
 * Creates a scope. Only for `session.ts`, for doing an owner's work later (`imports/worker.ts`, `exports/schedules.ts`) and tests,
 * after reading the membership from the store.
 */
export function createTenantScope(connectionId: string): TenantScope {
  return { connectionId } as TenantScope
}

/** The query parameter of pages and downloads that names the merchant. */
export const merchantParameter = 'merchant'

/** The header of API calls that names the merchant. */
export const merchantHeader = 'x-debitdesk-merchant'

/**
 * The merchant named by an API request, in its header or, for links, which cannot set headers, in its address; null for
 * none. Throws AppError 'bad-request' when it names two.
 */
export function getRequestedMerchant({ headers, url }: Request): string | null {
  const inAddress = new URL(url).searchParams.getAll(merchantParameter)
  const inHeader = headers.get(merchantHeader)
  const named = new Set([...inAddress, ...(inHeader === null ? [] : [inHeader])])
  if (named.size > 1) throw new AppError('bad-request', { detail: m.refusals_theRequestNamesTwoMerchants() })
  return [...named][0] ?? null
}

/** The merchant named by a page's address; null for none or several. */
export function parsePageMerchant(path: string): string | null {
  const named = new URL(path, 'http://desk.invalid').searchParams.getAll(merchantParameter)
  return named.length === 1 ? (named[0] ?? null) : null
}

/** Adds the merchant to a page's address. */
export function addMerchantParam(path: string, connectionId: string): string {
  const url = new URL(path, 'http://desk.invalid')
  url.searchParams.set(merchantParameter, connectionId)
  return `${url.pathname}${url.search}`
}

/** Minimum time between two entries about the same user. */
const REFUSAL_INTERVAL_MS = 15 * 60_000

/** Logs access to another's merchant where the user's own admins see it (AZ-04, AZ-09). */
function logRefusal({ userId, email, merchants }: LiveSession, named: string): void {
  const objectId = named.slice(0, 100)
  const entry = { connectionId: merchants[0].connectionId, actor: email, objectKind: 'setting', objectId, details: {} }
  const line = { event: 'denied', code: 'no-such-merchant', merchant: objectId, userId }
  if (
    recordActivityOncePer(`merchant ${userId}`, REFUSAL_INTERVAL_MS, {
      ...entry,
      action: 'merchant.refused',
      outcome: 'refused',
    })
  )
    logSecurityEvent(line)
  else countSecurityEvent(`another merchant asked for by ${userId}`)
}

/**
 * The merchant of a request: the named one, else the last opened one, that of the settings or the first. Throws AppError
 * 'no-such-merchant' when the named one isn't the user's, whether it exists or not (AZ-04).
 */
export function pickMerchant(live: LiveSession, named: string | null): Merchant {
  const { merchants, lastConnectionId } = live
  const find = (id: string | null) => merchants.find(({ connectionId }) => connectionId === id)
  if (named === null) return find(lastConnectionId) ?? find(defaultConnectionId) ?? merchants[0]
  const merchant = find(named)
  if (merchant) return merchant
  logRefusal(live, named)
  throw new AppError('no-such-merchant')
}
