import { randomUUID } from 'node:crypto'
import { maxHeaderSize, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { logFailure } from '../logging'
import { Problem } from './problem'
import { makeTraceId } from './reply'

/** Errors of the HTTP server by their codes. */
const serverProblems: Record<string, Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new Problem('too-large', 'The body may have at most 1,048,576 bytes.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Problem('unsupported-media-type', 'The Content-Type is not a media type.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new Problem('malformed-body', 'The body is not as long as was announced.'),
  FST_ERR_MAX_PARAM_LENGTH: new Problem('path-too-long', 'A part of the path may have at most 1,000 characters.'),
  FST_ERR_BAD_URL: new Problem('validation', 'The path is not a valid address.'),
}

/** Messages of the driver, which has no code for a lost connection or for the rollback that cannot be sent then. */
const connectionLost =
  /^(Connection (terminated|ended)|timeout (expired|exceeded when trying to connect)|Query read timeout|Client (was closed|has encountered a connection error) and is not queryable)/u

/** Codes of a database that is unreachable, shutting down, full, too slow, or aborted a conflict: the client can retry. */
const transientCodes =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|ENOSPC|08...|57014|57P0[123]|53...|40001|40P01|55P03|25P03)$/u

function codesOf(error: unknown): string[] {
  const codes: string[] = []
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ('code' in one && typeof one.code === 'string') codes.push(one.code)
    if (connectionLost.test(one.message)) codes.push('08006')
  }
  return codes
}

/** Converts any error to a Problem. Unknown errors are logged and become `internal` without details. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const codes = codesOf(error)
  const known = codes.map((code) => serverProblems[code]).find((problem) => problem !== undefined)
  if (known) return known
  if (error instanceof Error && error.message === 'aborted' && codes.includes('ECONNRESET'))
    return new Problem('malformed-body', 'The request was cut off.')
  logFailure('unexpected failure', error)
  if (codes.some((code) => transientCodes.test(code))) {
    const full = codes.includes('53100') || codes.includes('ENOSPC')
    const detail = full ? 'The disk is full: nothing can be written now.' : 'The database cannot be reached. Try again.'
    return new Problem('unavailable', detail, { headers: { 'retry-after': '5' } })
  }
  return new Problem('internal', 'The service failed unexpectedly.')
}

/** How long a request may take to arrive. */
export const REQUEST_TIMEOUT_SECONDS = 30
/** How long its headers alone may take. */
export const HEADERS_TIMEOUT_SECONDS = 20

function describeClientError(code: string | undefined): Problem {
  switch (code) {
    // Node does not say which of the two timeouts it was.
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(
        'timeout',
        `The headers must arrive within ${HEADERS_TIMEOUT_SECONDS} s, the whole request within ${REQUEST_TIMEOUT_SECONDS} s.`,
      )
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('headers-too-large', `Path and headers may have ${maxHeaderSize} bytes together.`)
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('too-large', 'The extensions of a chunk of the body are too long.')
    default:
      return new Problem('malformed-request', 'The request is not HTTP that can be read.')
  }
}

/** Replies to data that is no complete request (cut off, too slow, not HTTP) with a problem record and closes the connection. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = describeClientError(error.code)
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
