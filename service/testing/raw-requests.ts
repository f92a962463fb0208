import { connect } from 'node:net'
import { within } from '@/lib/database/testing/within'

/** `count` Authorization headers of unknown credentials. */
export function makeUnknownCredentials(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `authorization: Basic ${btoa(`made-up-${index}:`)}`)
}

/** A raw read request with one header. */
export const writeRequest = (header: string) => `GET /Merchants HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`

/** Counts the replies by status. */
export function countStatuses(replies: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [, status = ''] of replies.matchAll(/HTTP\/1\.1 (\d+)/gu)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Sends bytes whose last request closes the connection; resolves with everything received. */
export function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
  const replies = new Promise<string>((resolve) => {
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    // A reset ends the reply too.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
  })
  return within(60_000, 'the end of the connection', replies).finally(() => socket.destroy())
}
