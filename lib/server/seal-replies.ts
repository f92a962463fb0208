import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dataPolicy, listSecurityHeaders } from './security-headers'

/** What is no page: built files and data. */
const sealed = ['/_next/static/', '/api/', '/hooks/']

/** Whether a request asks for a built file or for data, and not for a page. */
export function isSealed({ url }: IncomingMessage): boolean {
  return sealed.some((path) => url?.startsWith(path))
}

function seal(message: unknown): void {
  // Node publishes { request, response, socket, server } on this channel before the request is handled.
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  if (!isSealed(request)) return
  for (const [name, value] of listSecurityHeaders()) response.setHeader(name, value)
  response.setHeader('content-security-policy', dataPolicy)
}

/** Gives the replies that are no pages the headers of all others: the proxy, which each request costs a millisecond, leaves them out. */
export function sealReplies(): void {
  subscribe('http.server.request.start', seal)
}
