import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/** Carries the address of the other end of the connection from the HTTP server to the handlers. */
export const peerHeader = 'x-debitdesk-peer'

function mark(message: unknown): void {
  // Node publishes { request, response, socket, server } on this channel before the request is handled.
  const { request } = message as { request: IncomingMessage }
  request.headers[peerHeader] = request.socket.remoteAddress ?? 'unknown'
}

/**
 * Writes the connection's address into every request of this process, over whatever the client put
 * there: Next hides the socket from handlers, and `X-Forwarded-For` is anybody's to write (SE-11).
 */
export function markPeers(): void {
  subscribe('http.server.request.start', mark)
}
