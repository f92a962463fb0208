import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from './problem'
import { makeTraceId } from './send'

function explain(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('timeout', 'The request did not arrive within 30 s.')
  return new Problem('malformed-body', 'The request is not HTTP that can be read.')
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
