import type { IncomingMessage } from 'node:http'
import { getSessionCookies } from '../session-cookie'

/** A little above the most that any handler takes (1 MB; without a session 20 KB), so that it still sees that it is too much. */
const mostOfSession = 1_114_112
const mostOfStranger = 65_536

/** Whether as much of a body has come as is kept while nobody reads it: no more will before somebody does. */
export function hasMuchCome({ readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return readableLength >= readableHighWaterMark
}

/**
 * Takes in no more of a request's body than a handler needs to refuse it: Next by itself keeps up to 10 MB of every
 * request in memory, whoever sends it, before a handler is asked (BF-14). `onMore` is called whenever some of it has come, and at its end.
 */
export function limitBody(request: IncomingMessage, onMore: () => void): void {
  const isStranger = !request.headers.cookie?.includes(getSessionCookies().sessionToken.name)
  const most = isStranger ? mostOfStranger : mostOfSession
  const push = request.push.bind(request)
  let size = 0
  const take = (chunk: Uint8Array | null): boolean => {
    if (chunk === null) return push(null)
    size += chunk.byteLength
    // What is too much is read and let fall: the handler has enough to refuse it.
    return size - chunk.byteLength > most ? true : push(chunk)
  }
  request.push = (chunk: Uint8Array | null) => {
    const mayGoOn = take(chunk)
    onMore()
    return mayGoOn
  }
}
