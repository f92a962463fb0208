import { existsSync, readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import { constants } from 'node:zlib'
import compression from 'compression'

/** Sets a reply up before Next writes it. */
export type PrepareReply = (request: IncomingMessage, response: ServerResponse) => void

/** A page is smaller than with gzip at its level 6 and takes four fifths of its time. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

/**
 * Compresses what is made for each request, with brotli or gzip as the browser takes it; what is compressed already, or
 * asks to be left alone (`no-transform`), stays as it is. In place of Next's own, which knows gzip alone (next.config.mjs).
 */
export function createCompression(): PrepareReply {
  const compress = compression({
    brotli,
    // A part of a file is a part of its plain bytes (RFC 9110, 14.4).
    filter: (request, response) => response.statusCode !== 206 && compression.filter(request, response),
  })
  return (request, response) => compress(request, response, () => undefined)
}

/** Where built files have their addresses. */
const root = '/_next/static/'

const types: Record<string, string> = {
  js: 'application/javascript; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=UTF-8',
  txt: 'text/plain; charset=UTF-8',
}

/** Paths of files that stand compressed beside the plain ones, and the media types of these. */
function listCompressed(folder: string): Map<string, string> {
  const compressed = new Map<string, string>()
  if (!existsSync(folder)) return compressed
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[/\.([a-z]+)\.br$/u.exec(entry.name)?.[1] ?? '']
    if (!type) continue
    const path = relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
    compressed.set(`${root}${path.slice(0, -'.br'.length)}`, type)
  }
  return compressed
}

/** Whether a browser takes brotli (RFC 9110, 12.5.3); browsers offer it over TLS and on their own machine alone. */
export function takesBrotli(accepted: string | undefined): boolean {
  const named = /(?:^|,)\s*br\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/iu.exec(accepted ?? '')
  return named !== null && Number(named[1] ?? 1) > 0
}

/** Whether the answer is the whole file or that it is known already: what else Next would say is not compressed. */
function isPlainRead({ method, headers }: IncomingMessage): boolean {
  const isConditional = headers.range ?? headers['if-match'] ?? headers['if-unmodified-since']
  return (method === 'GET' || method === 'HEAD') && isConditional === undefined
}

/**
 * Has Next send the built files in `folder` (absolute, `static` of a build) as the build compressed them, to who takes
 * that: compressing them anew takes the server longer than sending them, and it compresses less.
 */
export function createStaticCompression(folder: string): PrepareReply {
  const compressed = listCompressed(folder)
  return (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const type = compressed.get(path)
    if (type === undefined || !isPlainRead(request) || !takesBrotli(request.headers['accept-encoding'])) return
    // A build that was made since may have taken it away: the plain file is sent then, if there is one.
    if (!existsSync(join(folder, `${path.slice(root.length)}.br`))) return
    request.url = `${path}.br`
    response.setHeader('content-encoding', 'br')
    response.setHeader('content-type', type)
    response.setHeader('vary', 'Accept-Encoding')
  }
}
