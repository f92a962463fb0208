/**
 * The merchant that this document was loaded for; null where the user has one alone. It never changes: choosing
 * another merchant loads a page anew, so that nothing in memory can belong to two.
 */
const merchant = typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('merchant')

export function getMerchant(): string | null {
  return merchant
}

/** An address of this desk with the merchant it is for; others, and those that name one, as they are. */
export function addMerchant(address: string, id: string | null): string {
  if (id === null || !address.startsWith('/') || /[?&]merchant=/u.test(address)) return address
  const [page = '', ...place] = address.split('#')
  const query = `${page.includes('?') ? '&' : '?'}merchant=${encodeURIComponent(id)}`
  return [page + query, ...place].join('#')
}

/** The same, for the merchant of this document. For handlers of events: on the server there is no document. */
export function keepMerchant(address: string): string {
  return addMerchant(address, merchant)
}
