import { explainAddress } from '@/lib/contract/callback-address'
import type { Settings } from '../settings'
import * as fields from '@/lib/words/fields'

/** Whether an address lies where the settings themselves already lead: the same host and port. */
export function isOwnNetwork(url: URL, { UPSTREAM_URL, SERVICE_PORT }: Settings): boolean {
  return url.origin === new URL(UPSTREAM_URL ?? `http://127.0.0.1:${SERVICE_PORT}`).origin
}

/**
 * Why a service's address cannot be entered, as the end of a sentence that begins with the field's name; null when
 * nothing speaks against it. Public https alone, for whoever enters it must not reach into the network that the desk
 * stands in, save at the host and port that the settings name. What a name resolves to is checked at each connection.
 */
export function explainBaseUrl(text: string, settings: Settings): string | null {
  if (!URL.canParse(text)) return fields.mustBeAServiceAddress
  const url = new URL(text)
  if (url.search !== '' || text.includes('?')) return fields.mustNotHoldAQuery
  const own = isOwnNetwork(url, settings) ? text : null
  return explainAddress(text, { known: [], own })
}
