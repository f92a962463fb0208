import { connect } from 'node:net'

/** Sends these bytes and answers everything that comes back until the connection ends, or two seconds after the last of it. */
export function sendBytes(desk: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(desk)
  return new Promise((resolve) => {
    let said = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('data', (chunk) => (said += chunk.toString('latin1')))
    // Reset is an end as good as any.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(said))
  })
}
