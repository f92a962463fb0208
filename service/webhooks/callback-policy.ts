import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

/** Answers all addresses of a host name; injected so that tests need no network. */
export type Resolve = (host: string) => Promise<string[]>

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/** What callback addresses may be: which `host:port` pairs are allowed although they are private, plain or on another port. */
export type CallbackPolicy = { allowed: ReadonlySet<string>; resolve: Resolve }

/** Ports of ordinary HTTPS; others could be made to speak to mail servers, databases and the like. */
const ordinaryPorts = new Set(['443', '8443'])
const localNames = /(^|\.)(localhost|local|internal|intranet|home|lan|corp|arpa|test|invalid|onion)$/u

/** Whether an IP address is an ordinary public one: not loopback, private, link-local, mapped, translated or otherwise special. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // Of IPv6 only 2000::/3 has been given out; the rest holds deprecated ways to write IPv4 addresses.
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '')
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}

/** Whether the operator has allowed exactly this host and port. */
export function isAllowedByName(policy: CallbackPolicy, url: URL): boolean {
  return policy.allowed.has(`${bareHost(url)}:${portOf(url)}`)
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
  const host = bareHost(url)
  const literal = ipaddr.isValid(host)
  const hidden = literal ? !isPublicAddress(host) : localNames.test(host) || !host.includes('.')
  return hidden ? 'must be publicly reachable' : null
}

/** Whether every address that a callback's name resolves to is public. A name that does not resolve now is checked when connecting. */
export async function checkResolution(policy: CallbackPolicy, url: URL): Promise<boolean> {
  if (isAllowedByName(policy, url) || ipaddr.isValid(bareHost(url))) return true
  const patience = new Promise<string[]>((resolve) => setTimeout(resolve, 2_000, []).unref())
  const addresses = await Promise.race([policy.resolve(bareHost(url)).catch(() => []), patience])
  return addresses.every(isPublicAddress)
}
