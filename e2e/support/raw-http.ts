import { connect } from 'node:net'

/** Sends bytes. Resolves with everything received once the connection ends, or two seconds after the last data. */
export function sendBytes(desk: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(desk)
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    // A reset ends the reply too.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
  })
}

export type RawReply = { status: number; headers: Record<string, string>; body: string }

/**
 * Sends a raw request that browsers and client libraries would not, and reads the reply. `line` is method and target; the
 * connection is closed after the reply.
 */
export function sendRaw(desk: string, line: string, headers: Record<string, string> = {}): Promise<RawReply> {
  const { hostname, port, host } = new URL(desk)
  const fields = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${line} HTTP/1.1\r\n${fields.join('')}\r\n`, 'latin1'),
    )
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n')
      const [first = '', ...lines] = head.split('\r\n')
      const pairs = lines.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ])
      resolve({ status: Number(first.split(' ')[1]), headers: Object.fromEntries(pairs), body: rest.join('\r\n\r\n') })
    })
  })
}
