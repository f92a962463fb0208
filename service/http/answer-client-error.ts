import { randomUUID } from 'node:crypto'
import { maxHeaderSize, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from './problem'
import { makeTraceId } from './send'

/** How long a request may take to arrive, in seconds. */
export const requestTimeout = 30
/** How long its headers alone may take. */
export const headersTimeout = 20

function explain(code: string | undefined): Problem {
  switch (code) {
    // Node does not say which of the two it was.
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(
        'timeout',
        `The headers must arrive within ${headersTimeout} s, the whole request within ${requestTimeout} s.`,
      )
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('headers-too-large', `Path and headers may have ${maxHeaderSize} bytes together.`)
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('too-large', 'The extensions of a chunk of the body are too long.')
    default:
      return new Problem('malformed-request', 'The request is not HTTP that can be read.')
  }
}

/** Answers what never became a request (cut off, too slow, not HTTP) with a problem record, and ends the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = explain(error.code)
  const body = JSON.stringify(problem.toRecord(randomUUID(), makeTraceId(undefined)))
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
