import { connect } from 'node:net'
import { within } from '@/lib/database/testing/within'

/** Authorization headers of so many credentials that nobody has. */
export function makeUnknownCredentials(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `authorization: Basic ${btoa(`made-up-${index}:`)}`)
}

/** A read with one header as it stands on the wire. */
export const writeRequest = (header: string) => `GET /Merchants HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`

/** How often each status stands in what came back. */
export function countStatuses(replies: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [, status = ''] of replies.matchAll(/HTTP\/1\.1 (\d+)/gu)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Sends these bytes, of which the last request closes the connection, and answers all that comes back until then. */
export function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
  const replies = new Promise<string>((resolve) => {
    let said = ''
    socket.on('data', (chunk) => (said += chunk.toString('latin1')))
    // A reset is an end as good as any.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(said))
  })
  return within(60_000, 'the end of the connection', replies).finally(() => socket.destroy())
}
