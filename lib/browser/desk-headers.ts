import { pageUserHeader } from '@/lib/contract/session-times'
import { getMerchant } from './keep-merchant'

let user: string | null = null

/** Says whose page this is, before anything of it asks. In the browser alone: the server is everybody's. */
export function setPageUser(userId: string): void {
  if (typeof window !== 'undefined') user = userId
}

/** What every call of a page to its desk says of itself: that it is ours, whose page asks, and for which merchant. */
export function getDeskHeaders(): Record<string, string> {
  const merchant = getMerchant()
  return {
    'x-debitdesk': '1',
    ...(user !== null && { [pageUserHeader]: user }),
    ...(merchant !== null && { 'x-debitdesk-merchant': merchant }),
  }
}
