import type { IncomingMessage, ServerResponse } from 'node:http'
import { ScriptDeferral } from './defer-scripts'
import { isNoPage } from './security-headers'

type Part = string | Uint8Array | null

const isHtml = (response: ServerResponse) => /^text\/html\b/u.test(String(response.getHeader('content-type')))

function readBytes(part: Part | undefined, encoding?: BufferEncoding): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part, encoding) : (part ?? Buffer.alloc(0))
}

/** The nonce of a page's policy (`buildPagePolicy`). */
const readNonce = (response: ServerResponse) =>
  /'nonce-([\w+/=]+)'/u.exec(String(response.getHeader('content-security-policy')))?.[1]

/** What a page passes on its way out. Its length is no longer what was said, if anybody said it. */
function beginDeferral(response: ServerResponse): ScriptDeferral | null {
  const nonce = isHtml(response) ? readNonce(response) : undefined
  if (nonce === undefined) return null
  if (!response.headersSent) response.removeHeader('content-length')
  return new ScriptDeferral(nonce)
}

/**
 * Has what is written to a reply pass a deferral while it is a page. As with `compression`, a callback for a part that is
 * written is not taken: Next gives none, and waits for `drain` and `finish`.
 */
function passThroughDeferral(response: ServerResponse): void {
  const write = response.write.bind(response)
  const end = response.end.bind(response)
  let deferral: ScriptDeferral | null = null
  Object.assign(response, {
    write(part: Part, encoding?: BufferEncoding): boolean {
      const bytes = readBytes(part, encoding)
      deferral ??= beginDeferral(response)
      return write(deferral ? deferral.pass(bytes) : bytes)
    },
    end(part?: Part, encoding?: BufferEncoding): ServerResponse {
      const bytes = readBytes(part, encoding)
      deferral ??= beginDeferral(response)
      const last = deferral ? Buffer.concat([deferral.pass(bytes), deferral.end()]) : bytes
      return last.length > 0 ? end(last) : end()
    },
  })
}

/**
 * Has the page of a list ask for its scripts once its first frame is painted: see ScriptDeferral. Rows that stand in the HTML are
 * seen a quarter of the time sooner on a slow computer. To be called after the compression: what is compressed can't be read.
 */
export function deferScripts({ url = '' }: IncomingMessage, response: ServerResponse): void {
  if (!isNoPage(url)) passThroughDeferral(response)
}
