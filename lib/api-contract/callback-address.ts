import ipaddr from 'ipaddr.js'
import * as words from './words/callback-address'
import * as fields from './words/fields'

/** Names that lead to this machine or into a private network, and those that resolve nowhere (RFC 2606, RFC 6762, RFC 8375). */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|home|lan|corp|arpa|test|invalid|onion)$/iu

/** All that IANA has given out of IPv6; what lies outside may hold an IPv4 address, as `::127.0.0.1` does (RFC 4291). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an IP address is an ordinary public one: not loopback, private, link-local, mapped, translated or otherwise special. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const plain = ipaddr.process(address)
  return plain.range() === 'unicast' && (!(plain instanceof ipaddr.IPv6) || plain.match(globalUnicast))
}

/** The host of a URL without the brackets of IPv6 and the dot that ends a full name. */
export function normalizedHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '')
}

/** Whether a URL's host is an address that is not public, or a name that cannot lead to one. Other names are not resolved. */
export function hasPrivateHost(url: URL): boolean {
  const host = normalizedHost(url)
  if (ipaddr.isValid(host)) return !isPublicAddress(host)
  return localNames.test(host) || !host.includes('.')
}

function isSameAddress(one: string, other: string): boolean {
  if (one === other) return true
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href
}

/**
 * Why an address should not be subscribed, as the end of a sentence that begins with the field's name; null
 * when nothing speaks against it. `known` are those that are subscribed; `own` is the desk's inbox, which may be
 * on this machine. What a name resolves to is checked on the server (`probeAddress`).
 */
export function explainAddress(
  text: string,
  { known, own }: { known: readonly string[]; own: string | null },
): string | null {
  if (text.trim() === '') return fields.mustNotBeEmpty
  if (text.length > 2048) return fields.mustBeAtMostCharacters(2_048)
  // URL parsers drop tabs and line breaks, so the address that is read would be another than the one that is sent.
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) return words.mustNotHoldSpaces
  if (!URL.canParse(text)) return words.mustBeAnAddress
  if (known.some((one) => isSameAddress(one, text))) return words.isSubscribedAlready
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return words.mustBeginWithHttps
  // URL parsers add what is missing of `https://`.
  if (!/^https?:\/\/[^/]/iu.test(text)) return words.mustBeAnAddress
  if (url.username !== '' || url.password !== '') return words.mustNotHoldAUserName
  if (text.includes('#')) return words.mustNotHoldAFragment
  if (own !== null && text === own) return null
  if (hasPrivateHost(url)) return words.mustBePubliclyReachable
  if (url.protocol !== 'https:') return words.mustBeginWithHttpsNotPlain
  return null
}
