import { subscribe } from 'node:diagnostics_channel'
import { existsSync, readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'

/** Where built files have their addresses. */
const root = '/_next/static/'

const types: Record<string, string> = {
  js: 'application/javascript; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=UTF-8',
  txt: 'text/plain; charset=UTF-8',
}

/** Paths of files that stand packed beside the plain ones, and what they hold. */
function listPacked(folder: string): Map<string, string> {
  const packed = new Map<string, string>()
  if (!existsSync(folder)) return packed
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[/\.([a-z]+)\.br$/u.exec(entry.name)?.[1] ?? '']
    if (!type) continue
    const path = relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
    packed.set(`${root}${path.slice(0, -'.br'.length)}`, type)
  }
  return packed
}

/** Whether a browser takes brotli (RFC 9110, 12.5.3); browsers offer it over TLS and on their own machine alone. */
export function takesBrotli(accepted: string | undefined): boolean {
  const named = /(?:^|,)\s*br\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/iu.exec(accepted ?? '')
  return named !== null && Number(named[1] ?? 1) > 0
}

/** Whether the answer is the whole file or that it is known already: what else Next would say is not packed. */
function isPlainRead({ method, headers }: IncomingMessage): boolean {
  const isConditional = headers.range ?? headers['if-match'] ?? headers['if-unmodified-since']
  return (method === 'GET' || method === 'HEAD') && isConditional === undefined
}

/**
 * Has Next send the built files in `folder` (absolute, `static` of a build) as the build packed them, to who takes that:
 * to pack them takes the server longer than to send them, and it packs less. Call it once at start, after sealReplies.
 */
export function sendCompressed(folder: string): void {
  const packed = listPacked(folder)
  if (packed.size === 0) return
  subscribe('http.server.request.start', (message) => {
    // Node publishes { request, response, socket, server } on this channel before the request is handled.
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const path = request.url?.split('?', 1)[0] ?? ''
    const type = packed.get(path)
    if (type === undefined || !isPlainRead(request) || !takesBrotli(request.headers['accept-encoding'])) return
    // A build that was made since may have taken it away: the plain file is sent then, if there is one.
    if (!existsSync(join(folder, `${path.slice(root.length)}.br`))) return
    request.url = `${path}.br`
    response.setHeader('content-encoding', 'br')
    response.setHeader('content-type', type)
    response.setHeader('vary', 'Accept-Encoding')
  })
}
