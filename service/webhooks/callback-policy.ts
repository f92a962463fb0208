import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { hasPrivateHost, isPublicAddress, normalizedHost } from '@/lib/api-contract/callback-address'

/** Answers all addresses of a host name; injected so that tests need no network. */
export type Resolve = (host: string) => Promise<string[]>

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/** What callback addresses may be: which `host:port` pairs are allowed although they are private, plain or on another port. */
export type CallbackPolicy = { allowed: ReadonlySet<string>; resolve: Resolve }

/** Ports of ordinary HTTPS; others could be made to speak to mail servers, databases and the like. */
const ordinaryPorts = new Set(['443', '8443'])

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}

/** Whether the operator has allowed exactly this host and port. */
export function isAllowedByName(policy: CallbackPolicy, url: URL): boolean {
  return policy.allowed.has(`${normalizedHost(url)}:${portOf(url)}`)
}

/**
 * Says why an address cannot be a callback, or null when it may be: syntax, scheme, port, names and literal
 * addresses. What a name resolves to is checked by `checkResolution` and again when connecting.
 */
export function explainCallback(policy: CallbackPolicy, text: string): string | null {
  if (!URL.canParse(text)) return 'must be an address such as https://example.com/hooks'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an https address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  if (url.hash !== '' || text.includes('#')) return 'must not hold a fragment'
  if (isAllowedByName(policy, url)) return null
  if (url.protocol !== 'https:') return 'must be an https address'
  if (!ordinaryPorts.has(portOf(url))) return 'must use port 443 or 8443'
  return hasPrivateHost(url) ? 'must be publicly reachable' : null
}

/** Whether every address that a callback's name resolves to is public. A name that does not resolve now is checked when connecting. */
export async function checkResolution(policy: CallbackPolicy, url: URL): Promise<boolean> {
  if (isAllowedByName(policy, url) || ipaddr.isValid(normalizedHost(url))) return true
  const patience = new Promise<string[]>((resolve) => setTimeout(resolve, 2_000, []).unref())
  const addresses = await Promise.race([policy.resolve(normalizedHost(url)).catch(() => []), patience])
  return addresses.every(isPublicAddress)
}
