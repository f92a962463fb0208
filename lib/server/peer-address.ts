import type { IncomingMessage } from 'node:http'
import { findPeer, type TrustedProxies } from './trusted-proxies'

/** Carries the address of whoever asks from the HTTP server to the handlers. */
export const peerHeader = 'x-debitdesk-peer'

/**
 * Writes the address of whoever asks into a request, over whatever the client put there: Next hides the socket from
 * handlers, and `X-Forwarded-For` is anybody's to write, but for the proxies that are trusted (SE-11).
 */
export function markPeer({ headers, socket }: IncomingMessage, trusted: TrustedProxies): void {
  const { 'x-forwarded-for': forwarded } = headers
  const named = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  headers[peerHeader] = findPeer(socket.remoteAddress ?? 'unknown', named, trusted)
}

/** The address that a request came from, as `markPeer` wrote it. */
export function readPeer({ headers }: Pick<Request, 'headers'>): string {
  return headers.get(peerHeader) ?? 'unknown'
}
