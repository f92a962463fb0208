import { pageUserHeader } from '@/lib/domain/accounts'
import { readStored, writeStored } from './storage'

/**
 * The merchant of this document; null if the user has only one. It never changes: switching merchants is a full page
 * load, so that nothing in memory belongs to two.
 */
const merchant = typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('merchant')

export function getMerchant(): string | null {
  return merchant
}

/** Adds the merchant to an internal URL; external ones, and those that have one, stay unchanged. */
export function addMerchantParam(address: string, id: string | null): string {
  if (id === null || !address.startsWith('/') || /[?&]merchant=/u.test(address)) return address
  const [page = '', ...fragment] = address.split('#')
  const query = `${page.includes('?') ? '&' : '?'}merchant=${encodeURIComponent(id)}`
  return [page + query, ...fragment].join('#')
}

/** The same for this document's merchant. For event handlers: on the server there is no document. */
export function withMerchantParam(address: string): string {
  return addMerchantParam(address, merchant)
}

let pageUser: string | null = null

/** Sets the user whose page this is, before its first request. Browser only: the server's modules are shared. */
export function setPageUser(userId: string): void {
  if (typeof window !== 'undefined') pageUser = userId
}

/** The user whose page this is; null before it is known. */
export function getPageUser(): string | null {
  return pageUser
}

/** Headers of every request to our server: the CSRF marker, the page's user and its merchant. */
export function getRequestHeaders(): Record<string, string> {
  const merchant = getMerchant()
  return {
    'x-debitdesk': '1',
    ...(pageUser !== null && { [pageUserHeader]: pageUser }),
    ...(merchant !== null && { 'x-debitdesk-merchant': merchant }),
  }
}

/** By merchant too: an offset is meaningful only to the API that issued it. */
const offsetKey = (id: string) => `debitdesk-page-of:${getMerchant() ?? ''}:${id}`

/** Remembers the page of the unfiltered list that contains a payment, for later lookups in this tab. */
export function rememberPageOffset(id: string, after: string | undefined): void {
  if (after !== undefined) writeStored('sessionStorage', offsetKey(id), after)
}

/** Forgets that page: its offset is of no use. */
export function forgetPageOffset(id: string): void {
  writeStored('sessionStorage', offsetKey(id), null)
}

/** The offset of that page; null if unknown. */
export function recallPageOffset(id: string): string | null {
  return readStored('sessionStorage', offsetKey(id))
}
