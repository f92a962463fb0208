import { pageUserHeader } from '@/lib/domain/accounts'

/**
 * The merchant that this document was loaded for; null where the user has one alone. It never changes: choosing
 * another merchant loads a page anew, so that nothing in memory can belong to two.
 */
const merchant = typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('merchant')

export function getMerchant(): string | null {
  return merchant
}

/** An address of this desk with the merchant it is for; others, and those that name one, as they are. */
export function addMerchantParam(address: string, id: string | null): string {
  if (id === null || !address.startsWith('/') || /[?&]merchant=/u.test(address)) return address
  const [page = '', ...place] = address.split('#')
  const query = `${page.includes('?') ? '&' : '?'}merchant=${encodeURIComponent(id)}`
  return [page + query, ...place].join('#')
}

/** The same, for the merchant of this document. For handlers of events: on the server there is no document. */
export function withMerchantParam(address: string): string {
  return addMerchantParam(address, merchant)
}

let user: string | null = null

/** Says whose page this is, before anything of it asks. In the browser alone: the server is everybody's. */
export function setPageUser(userId: string): void {
  if (typeof window !== 'undefined') user = userId
}

/** What every call of a page to its desk says of itself: that it is ours, whose page asks, and for which merchant. */
export function getRequestHeaders(): Record<string, string> {
  const merchant = getMerchant()
  return {
    'x-debitdesk': '1',
    ...(user !== null && { [pageUserHeader]: user }),
    ...(merchant !== null && { 'x-debitdesk-merchant': merchant }),
  }
}

/** By merchant too: the tab may have worked for another one before, and an offset means nothing to any but its own service. */
const placeKey = (id: string) => `debitdesk-page-of:${getMerchant() ?? ''}:${id}`

/** Remembers on which page of the plain list a payment was, for a later look-up in this tab. */
export function rememberPageOffset(id: string, after: string | undefined): void {
  if (after !== undefined) sessionStorage.setItem(placeKey(id), after)
}

/** The offset of that page; null where it is not known. */
export function recallPageOffset(id: string): string | null {
  return typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(placeKey(id))
}
