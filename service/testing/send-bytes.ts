import { connect } from 'node:net'
import { within } from '@/lib/database/testing/within'

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
