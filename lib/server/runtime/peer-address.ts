import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The proxies in front of the desk: their number, or their address ranges. */
export type TrustedProxies = { hops: number } | { ranges: readonly string[] }

export const noProxies: TrustedProxies = { hops: 0 }

/** `2`, `none`, or addresses and ranges such as `10.0.0.5, 172.16.0.0/12`; null for anything else. */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (/^\s*none\s*$/iu.test(text)) return noProxies
  if (/^\s*\d{1,2}\s*$/u.test(text)) return { hops: Number(text) }
  const ranges = text.split(',').map((part) => part.trim())
  return ranges.every((range) => ipaddr.isValidCIDR(range) || isIP(range) !== 0) ? { ranges } : null
}

/** An address in canonical form, with IPv4-mapped IPv6 as IPv4 and without port or zone; null if invalid. */
function normalise(address: string): string | null {
  const plain = address
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/u, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/u, '$1')
    .replace(/%.*$/u, '')
  return isIP(plain) ? ipaddr.process(plain).toString() : null
}

function isWithin(address: string, range: string): boolean {
  const one = ipaddr.process(address)
  const [base, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.process(range), null]
  if (one.kind() !== base.kind()) return false
  return bits === null ? one.toString() === base.toString() : one.match(base, bits)
}

/**
 * The client's address: the socket's or, if that is a trusted proxy, the one at the end of `X-Forwarded-For`, and so on
 * from right to left. Each proxy appends, and only entries appended by trusted ones are read, so that clients cannot
 * forge it (SE-11).
 */
export function findPeer(socketAddress: string, forwarded: string | undefined, trusted: TrustedProxies): string {
  const socket = normalise(socketAddress) ?? 'unknown'
  const named = (forwarded ?? '').slice(-2_000).split(',').toReversed()
  if ('hops' in trusted) {
    const last = named[trusted.hops - 1]
    return trusted.hops === 0 || last === undefined ? socket : (normalise(last) ?? socket)
  }
  let peer = socket
  for (const one of named) {
    if (!trusted.ranges.some((range) => isIP(peer) !== 0 && isWithin(peer, range))) return peer
    const next = normalise(one)
    if (next === null) return peer
    peer = next
  }
  return peer
}

/** The key for rate limits: for IPv6 the /64 network, all of which belongs to one household or server. */
export function groupPeer(peer: string): string {
  if (isIP(peer) !== 6) return peer
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${peer.replace(/%.*$/u, '')}/64`)
  return `${network.toString()}/64`
}

/** Carries the client's address from the HTTP server to the handlers. */
export const peerHeader = 'x-debitdesk-peer'

/**
 * Sets a request's peer header to the client's address, replacing whatever the client sent: Next hides the socket from
 * handlers, and `X-Forwarded-For` can be forged except by trusted proxies (SE-11).
 */
export function markPeer({ headers, socket }: IncomingMessage, trusted: TrustedProxies): void {
  const { 'x-forwarded-for': forwarded } = headers
  const named = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  headers[peerHeader] = findPeer(socket.remoteAddress ?? 'unknown', named, trusted)
}

/** The client's address as set by `markPeer`. */
export function readPeer({ headers }: Pick<Request, 'headers'>): string {
  return headers.get(peerHeader) ?? 'unknown'
}
