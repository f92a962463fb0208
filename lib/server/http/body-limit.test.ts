import { request as send } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from './testing/test-server'

let desk: TestServer

beforeAll(async () => {
  desk = await startTestServer(async (request, response) => {
    let size = 0
    request.on('data', (chunk: Buffer) => (size += chunk.length)).on('end', () => response.end(String(size)))
  })
})
afterAll(() => desk.close())

/** Sends a body of this size, chunked or with its length, and returns how many bytes the handler received. */
function sendBytes(count: number, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const client = send(
      { port: desk.port, host: '127.0.0.1', method: 'POST', path: '/api/service/Customers', headers },
      (reply) => {
        let said = ''
        reply.on('data', (chunk) => (said += chunk)).on('end', () => resolve(Number(said)))
      },
    )
    client.on('error', reject)
    const piece = Buffer.alloc(65_536, 1)
    for (let left = count; left > 0; left -= piece.length) client.write(piece.subarray(0, Math.min(left, piece.length)))
    client.end()
  })
}

const session = { cookie: 'next-auth.session-token=x' }

it.each([0, 1, 20_481, 65_536])('hands on %i bytes of anybody', async (count) => {
  expect(await sendBytes(count)).toBe(count)
})

it('keeps of a stranger’s twelve megabytes little more than a handler must see', async () => {
  for (const headers of [{}, { 'content-length': '12000000' }]) {
    const seen = await sendBytes(12_000_000, headers as Record<string, string>)
    expect(seen).toBeGreaterThan(65_536)
    expect(seen).toBeLessThan(200_000)
  }
})

it('hands on a megabyte of who may have a session, and not ten', async () => {
  expect(await sendBytes(1_048_577, session)).toBe(1_048_577)
  const seen = await sendBytes(10_000_000, session)
  expect(seen).toBeGreaterThan(1_048_576)
  expect(seen).toBeLessThan(1_300_000)
})

it('hands on a megabyte of a script with a token, which has no cookie', async () => {
  const token = { authorization: `Bearer dd_${'0'.repeat(12)}_x` }
  expect(await sendBytes(1_048_577, token)).toBe(1_048_577)
  expect(await sendBytes(10_000_000, { authorization: 'Basic eDp5' })).toBeLessThan(200_000)
})

it('gives no client minutes to send its request', () => {
  expect(desk.server.headersTimeout).toBeLessThanOrEqual(30_000)
  expect(desk.server.requestTimeout).toBeLessThanOrEqual(30_000)
})
