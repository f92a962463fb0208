import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { getSettings } from './settings'
import { findPeer } from './trusted-proxies'

/** Carries the address of whoever asks from the HTTP server to the handlers. */
export const peerHeader = 'x-debitdesk-peer'

function mark(message: unknown): void {
  // Node publishes { request, response, socket, server } on this channel before the request is handled.
  const { request } = message as { request: IncomingMessage }
  const { 'x-forwarded-for': forwarded } = request.headers
  const named = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  request.headers[peerHeader] = findPeer(
    request.socket.remoteAddress ?? 'unknown',
    named,
    getSettings().TRUSTED_PROXIES,
  )
}

/**
 * Writes the address of whoever asks into every request of this process, over whatever the client put there: Next
 * hides the socket from handlers, and `X-Forwarded-For` is anybody's to write, but for TRUSTED_PROXIES (SE-11).
 */
export function markPeers(): void {
  subscribe('http.server.request.start', mark)
}

/** The address that a request came from, as `markPeers` wrote it. */
export function readPeer({ headers }: Pick<Request, 'headers'>): string {
  return headers.get(peerHeader) ?? 'unknown'
}
