import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { isDecodable } from '@/lib/format/is-decodable'
import { routeMethods } from './route-handler'

/** A path that decodes to nothing: the proxy, which no other path of data goes through, answers 400 or 405. */
const undecodable = '/api/%'

/** Node parses these and Next answers 500; the proxy answers 405 to any method that it does not know. */
const unroutable = new Set(['TRACE', 'TRACK'])

const dotSegment = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=$|[/\\;]|%2f|%5c)/iu

/** What is no page, by its plain path: it has its headers from sealReplies. */
const data = /^\/(?:api|hooks)(?:\/|$)/u

/** Whether a path leads to data that it does not name: spelled with escapes, or by the address that Next has for the data of pages. */
function leadsAround(path: string): boolean {
  if (!isDecodable(path)) return false
  const meant = decodeURIComponent(path)
  return meant.startsWith('/_next/data/') || data.test(meant) !== data.test(path)
}

/**
 * Whether a request target, as it stood on the wire, may be handed on. Once parsed as a URL, dot segments
 * have been resolved and slashes merged, and a path parameter would name another endpoint than the one
 * that was written (BF-01): what is not in its plain form already is refused, never mended.
 */
export function isPlainTarget(target: string): boolean {
  const path = target.split('?', 1)[0] ?? ''
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\') || dotSegment.test(path)) return false
  if (leadsAround(path)) return false
  return !path.startsWith('/api/') || !(path.includes('//') || path.endsWith('/'))
}

/** Guarantee: Node documents this channel's message as an object with the incoming request. */
function readRequest(message: unknown): IncomingMessage {
  return (message as { request: IncomingMessage }).request
}

/** Whether Next would answer a request for data with a reply of its own: to a path that does not decode, or a method it does not know. */
function isForProxy({ url = '', method }: IncomingMessage): boolean {
  if (!data.test(url)) return false
  return !isDecodable(url.split('?', 1)[0] ?? '') || !routeMethods.some((known) => known === method)
}

function guard(message: unknown): void {
  const request = readRequest(message)
  if (!isPlainTarget(request.url ?? '') || isForProxy(request)) request.url = undecodable
  if (unroutable.has(request.method ?? '')) request.method = 'REFUSED'
}

declare global {
  var debitdeskGuarded: boolean | undefined
}

/**
 * Looks at every request of this process before Next does, through Node's own diagnostics channel, and
 * turns those that must be refused into ones that the proxy refuses. Call it once at start.
 */
export function guardRawRequests(): void {
  if (globalThis.debitdeskGuarded) return
  globalThis.debitdeskGuarded = true
  subscribe('http.server.request.start', guard)
}
