import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server } from 'node:http'
import { getSessionCookies } from './session-cookie'

/** A little above the most that any handler takes (1 MB; without a session 20 KB), so that it still sees that it is too much. */
const mostOfSession = 1_114_112
const mostOfStranger = 65_536

/** Milliseconds in which a request must have come: its headers, and all of it (BF-20). */
const headersTimeout = 15_000
const requestTimeout = 30_000

/** Guarantee: Node documents this channel's message as an object with these members. */
function readMessage(message: unknown): { request: IncomingMessage; server: Server } {
  return message as { request: IncomingMessage; server: Server }
}

function bound(message: unknown): void {
  const { request, server } = readMessage(message)
  server.headersTimeout = headersTimeout
  server.requestTimeout = requestTimeout
  const isStranger = !request.headers.cookie?.includes(getSessionCookies().sessionToken.name)
  const most = isStranger ? mostOfStranger : mostOfSession
  const push = request.push.bind(request)
  let size = 0
  request.push = (chunk: Uint8Array | null) => {
    if (chunk === null) return push(null)
    size += chunk.byteLength
    // What is too much is read and let fall: the handler has enough to refuse it.
    return size - chunk.byteLength > most ? true : push(chunk)
  }
}

/**
 * Takes in no more of a body than a handler needs to refuse it: Next by itself keeps up to 10 MB of every request in
 * memory, whoever sends it, before a handler is asked (BF-14). Call it once at start.
 */
export function boundBodies(): void {
  subscribe('http.server.request.start', bound)
}
