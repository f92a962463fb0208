import { Failure } from './failure'
import * as refusals from '@/lib/words/refusals'

/** The query parameter of pages and downloads that says which merchant they are for. */
export const merchantParameter = 'merchant'

/** The header of calls that says the same. */
export const merchantHeader = 'x-debitdesk-merchant'

/**
 * Which merchant a call to the desk's own routes names, in its header or, where a link cannot send one, in its
 * address; null for none. Throws Failure 'bad-request' where it names two.
 */
export function readAskedMerchant({ headers, url }: Request): string | null {
  const inAddress = new URL(url).searchParams.getAll(merchantParameter)
  const inHeader = headers.get(merchantHeader)
  const named = new Set([...inAddress, ...(inHeader === null ? [] : [inHeader])])
  if (named.size > 1) throw new Failure('bad-request', { detail: refusals.theRequestNamesTwoMerchants })
  return [...named][0] ?? null
}

/** Which merchant the address of a page names; null for none, or for more than one. */
export function readPageMerchant(path: string): string | null {
  const named = new URL(path, 'http://desk.invalid').searchParams.getAll(merchantParameter)
  return named.length === 1 ? (named[0] ?? null) : null
}

/** The same page, naming its merchant. */
export function nameMerchant(path: string, connectionId: string): string {
  const url = new URL(path, 'http://desk.invalid')
  url.searchParams.set(merchantParameter, connectionId)
  return `${url.pathname}${url.search}`
}
