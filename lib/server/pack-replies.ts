import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants } from 'node:zlib'
import compression from 'compression'

/** A page is smaller than with gzip at its level 6 and takes four fifths of its time. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

/**
 * Packs what is made for each request, with brotli or gzip as the browser takes it; what is packed already, or asks to
 * be left alone (`no-transform`), stays as it is. In place of Next's own, which knows gzip alone and stands between the
 * page and the wire (next.config.mjs). Call it once at start, before `paintBeforeScripts`.
 */
export function packReplies(): void {
  // A part of a file is a part of its plain bytes (RFC 9110, 14.4).
  const pack = compression({
    brotli,
    filter: (request, response) => response.statusCode !== 206 && compression.filter(request, response),
  })
  subscribe('http.server.request.start', (message) => {
    // Node publishes { request, response, socket, server } on this channel before the request is handled.
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    pack(request, response, () => undefined)
  })
}
