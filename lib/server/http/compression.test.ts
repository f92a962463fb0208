import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { createStaticCompression, takesBrotli } from './compression'

let folder: string
let server: Server
let origin: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'))
  mkdirSync(join(folder, 'chunks'))
  for (const name of ['chunks/a.js', 'chunks/a.js.br', 'chunks/b.js', 'chunks/gone.js.br', 'font.woff2.br']) {
    writeFileSync(join(folder, name), name)
  }
  const compress = createStaticCompression(folder)
  rmSync(join(folder, 'chunks/gone.js.br'))
  // Says what it was asked for and what it was told to say of it, as Next would go by.
  server = createServer((request, response) => {
    compress(request, response)
    const told = { url: request.url, type: response.getHeader('content-type') }
    response.end(JSON.stringify(told))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

async function ask(path: string, accepted: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
  const sent = { 'accept-encoding': accepted, ...headers }
  const request = get(`${origin}${path}`, { method, headers: sent, agent: false })
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  const told = JSON.parse(await text(reply)) as { url: string; type?: string }
  return { headers: reply.headers, told }
}

describe('createStaticCompression', () => {
  it('leads who takes brotli to the packed file, and says what it is', async () => {
    const { headers, told } = await ask('/_next/static/chunks/a.js', 'gzip, deflate, br, zstd')
    expect(told).toEqual({ url: '/_next/static/chunks/a.js.br', type: 'application/javascript; charset=UTF-8' })
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
  })

  it.each([
    ['/_next/static/chunks/a.js', 'gzip, deflate'],
    ['/_next/static/chunks/a.js', 'br;q=0, gzip'],
    ['/_next/static/chunks/b.js', 'br'],
    ['/chunks/a.js', 'br'],
    ['/_next/static/font.woff2', 'br'],
    ['/_next/static/chunks/gone.js', 'br'],
  ])('leaves %s to Next where %s is taken', async (path, accepted) => {
    const { headers, told } = await ask(path, accepted)
    expect(told.url.endsWith('.br')).toBe(false)
    expect(headers['content-encoding']).toBeUndefined()
  })
})

test.each<Record<string, string>>([
  { range: 'bytes=9-' },
  { 'if-match': '"x"' },
  { 'if-unmodified-since': 'x' },
  { method: 'OPTIONS' },
])('what may be answered with something else than the file is left to Next: %o', async (sent) => {
  const { headers, told } = await ask('/_next/static/chunks/a.js', 'br', sent)
  expect(told.url).toBe('/_next/static/chunks/a.js')
  expect(headers['content-encoding']).toBeUndefined()
})

test('a build without packed files is served plain', () => {
  expect(() => createStaticCompression(join(folder, 'none'))).not.toThrow()
})

test('brotli is taken where it is named and not refused', () => {
  for (const yes of ['br', 'gzip, br', 'BR;q=0.5', 'gzip;q=1 , br ; q=1', 'br,gzip'])
    expect(takesBrotli(yes)).toBe(true)
  for (const no of [undefined, '', 'gzip', 'br;q=0', 'br; q=0.000, gzip', 'brotli', 'xbr', '*'])
    expect(takesBrotli(no)).toBe(false)
})
