import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { hasPrivateHost, isPublicAddress, normalizedHost } from '@/lib/api-contract/callback-address'

/** Resolves a host name to all its addresses. Injected, so that tests need no network. */
export type Resolve = (host: string) => Promise<string[]>

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/** `allowed` are `host:port` pairs that may be private, plain HTTP or on another port. */
export type CallbackPolicy = { allowed: ReadonlySet<string>; resolve: Resolve }

/** The usual HTTPS ports. On others callbacks could reach mail servers, databases and the like. */
const httpsPorts = new Set(['443', '8443'])

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}

/** Whether the operator allowed exactly this host and port. */
export function isAllowedByName(policy: CallbackPolicy, url: URL): boolean {
  return policy.allowed.has(`${normalizedHost(url)}:${portOf(url)}`)
}

/**
 * Why an address cannot be a callback, by its syntax, scheme, port, host name or literal address; null when it can. What
 * a name resolves to is checked by `checkResolution` and again when connecting.
 */
export function explainCallback(policy: CallbackPolicy, text: string): string | null {
  if (!URL.canParse(text)) return 'must be an address such as https://example.com/hooks'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an https address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  if (url.hash !== '' || text.includes('#')) return 'must not hold a fragment'
  if (isAllowedByName(policy, url)) return null
  if (url.protocol !== 'https:') return 'must be an https address'
  if (!httpsPorts.has(portOf(url))) return 'must use port 443 or 8443'
  return hasPrivateHost(url) ? 'must be publicly reachable' : null
}

/** Whether all addresses that a callback's name resolves to are public. A name that does not resolve now is checked when connecting. */
export async function checkResolution(policy: CallbackPolicy, url: URL): Promise<boolean> {
  if (isAllowedByName(policy, url) || ipaddr.isValid(normalizedHost(url))) return true
  const timeout = new Promise<string[]>((resolve) => setTimeout(resolve, 2_000, []).unref())
  const addresses = await Promise.race([policy.resolve(normalizedHost(url)).catch(() => []), timeout])
  return addresses.every(isPublicAddress)
}
