import ipaddr from 'ipaddr.js'

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
export function readHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '')
}

/** Whether a URL's host is an address that is not public, or a name that cannot lead to one. Other names are not resolved. */
export function hasPrivateHost(url: URL): boolean {
  const host = readHost(url)
  if (ipaddr.isValid(host)) return !isPublicAddress(host)
  return localNames.test(host) || !host.includes('.')
}
