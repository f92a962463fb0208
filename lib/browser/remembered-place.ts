import { getMerchant } from './keep-merchant'

/** By merchant too: the tab may have worked for another one before, and an offset means nothing to any but its own service. */
const placeKey = (id: string) => `debitdesk-page-of:${getMerchant() ?? ''}:${id}`

/** Remembers on which page of the plain list a payment was, for a later look-up in this tab. */
export function rememberPlace(id: string, after: string | undefined): void {
  if (after !== undefined) sessionStorage.setItem(placeKey(id), after)
}

/** The offset of that page; null where it is not known. */
export function recallPlace(id: string): string | null {
  return typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(placeKey(id))
}
