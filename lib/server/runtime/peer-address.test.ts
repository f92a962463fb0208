import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { markPeer, peerHeader } from './peer-address'

/** The header as seen by a handler, for a request with these header lines. */
async function readPeer(lines: readonly string[]): Promise<unknown> {
  let seen: unknown
  const server = createServer((request, response) => {
    markPeer(request, { hops: 0 })
    seen = request.headers[peerHeader]
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(['GET / HTTP/1.1', 'Host: desk', 'Connection: close', ...lines, '', ''].join('\r\n'))
    })
    socket.on('close', () => resolve()).resume()
  })
  await new Promise((resolve) => server.close(resolve))
  return seen
}

it('is the other end of the connection, whatever the client claims', async () => {
  expect(await readPeer([])).toBe('127.0.0.1')
  expect(await readPeer([`${peerHeader}: 203.0.113.9`, 'X-Forwarded-For: 203.0.113.9'])).toBe('127.0.0.1')
  expect(await readPeer([`X-Debitdesk-Peer: a`, `X-Debitdesk-Peer: b`])).toBe('127.0.0.1')
})
