import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dataPolicy, listSecurityHeaders } from './security-headers'

function seal(message: unknown): void {
  // Node publishes { request, response, socket, server } on this channel before the request is handled.
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  if (!request.url?.startsWith('/_next/static/')) return
  for (const [name, value] of listSecurityHeaders()) response.setHeader(name, value)
  response.setHeader('content-security-policy', dataPolicy)
}

/** Gives the built files the headers of all other replies: the proxy, which each request costs a millisecond, leaves them out. */
export function sealStaticFiles(): void {
  subscribe('http.server.request.start', seal)
}
