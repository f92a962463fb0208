import ipaddr from 'ipaddr.js'

import * as m from '../messages/m'
/** Host names of this machine or of a private network, and names that never resolve (RFC 2606, RFC 6762, RFC 8375). */
const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|home|lan|corp|arpa|test|invalid|onion)$/iu

/** All of IPv6 that IANA has allocated. Addresses outside may embed an IPv4 address, such as `::127.0.0.1` (RFC 4291). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an IP address is public unicast: not loopback, private, link-local, mapped, translated or otherwise special. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const plain = ipaddr.process(address)
  return plain.range() === 'unicast' && (!(plain instanceof ipaddr.IPv6) || plain.match(globalUnicast))
}

/** The host of a URL without IPv6 brackets and without the trailing dot of a fully qualified name. */
export function normalizedHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '')
}

/** Whether a URL's host is a private address or a name that cannot resolve to a public one. Resolves no names. */
export function hasPrivateHost(url: URL): boolean {
  const host = normalizedHost(url)
  if (ipaddr.isValid(host)) return !isPublicAddress(host)
  return privateNames.test(host) || !host.includes('.')
}

function isSameUrl(one: string, other: string): boolean {
  if (one === other) return true
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href
}

/**
 * Why an address cannot be subscribed, as the end of a sentence that begins with the field's name; null when it can.
 * `known` are the subscribed addresses; `own` is the desk's inbox, which may be on this machine. The server checks what
 * a name resolves to (`probeAddress`).
 */
export function explainAddress(
  text: string,
  { known, own }: { known: readonly string[]; own: string | null },
): string | null {
  if (text.trim() === '') return m.contractFields_mustNotBeEmpty()
  if (text.length > 2048) return m.contractFields_mustBeAtMostCharacters({ characters: 2_048 })
  // URL parsers drop tabs and line breaks, so the parsed address would differ from the one sent.
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) return m.callbackAddress_mustNotHoldSpaces()
  if (!URL.canParse(text)) return m.callbackAddress_mustBeAnAddress()
  if (known.some((one) => isSameUrl(one, text))) return m.callbackAddress_isSubscribedAlready()
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return m.callbackAddress_mustBeginWithHttps()
  // URL parsers complete an incomplete `https://`.
  if (!/^https?:\/\/[^/]/iu.test(text)) return m.callbackAddress_mustBeAnAddress()
  if (url.username !== '' || url.password !== '') return m.callbackAddress_mustNotHoldAUserName()
  if (text.includes('#')) return m.callbackAddress_mustNotHoldAFragment()
  if (own !== null && text === own) return null
  if (hasPrivateHost(url)) return m.callbackAddress_mustBePubliclyReachable()
  if (url.protocol !== 'https:') return m.callbackAddress_mustBeginWithHttpsNotPlain()
  return null
}
