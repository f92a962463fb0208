import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, createBrotliDecompress, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { createCompression } from './http/compression'
import { deferScripts } from './paint-before-scripts'

const script = '<script src="/_next/static/chunks/a.js" async="" nonce="n"></script>'
const waits = '<link rel="expect" href="#rows" blocking="render"/>'
const head = `<head>${script}${waits}</head><body>`
const rows = '<p>row</p>'.repeat(400)

let server: Server
let origin: string
let answer: RequestListener

beforeAll(async () => {
  const compress = createCompression()
  server = createServer((request, response) => {
    compress(request, response)
    deferScripts(request, response)
    response.setHeader('content-security-policy', "default-src 'none'; script-src 'nonce-n' 'strict-dynamic'")
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

const unpack = { br: brotliDecompressSync, gzip: gunzipSync }

async function ask(path: string, accepted?: keyof typeof unpack, method = 'GET') {
  const headers = accepted ? { 'accept-encoding': accepted } : {}
  const request = get(`${origin}${path}`, { method, headers, agent: false })
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  const bytes = await buffer(reply)
  const coding = reply.headers['content-encoding']
  const body = coding === 'br' || coding === 'gzip' ? unpack[coding](bytes) : bytes
  return { headers: reply.headers, body: body.toString() }
}

/** Answers as Next does: the head of the reply first, then the page in parts. */
const sendPage: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.flushHeaders()
  response.write(Buffer.from(head))
  response.write(Buffer.from(rows))
  response.end()
}

test.each(['br', 'gzip', undefined] as const)('a page asks for its scripts last, packed with %s', async (accepted) => {
  answer = sendPage
  const { headers, body } = await ask('/payments', accepted)
  expect(headers['content-encoding']).toBe(accepted)
  expect(headers.vary).toBe('Accept-Encoding')
  expect(body.startsWith(`<head>${waits}</head><body>${rows}<script nonce="n">`)).toBe(true)
  expect(body).toContain('["/_next/static/chunks/a.js"]')
})

it('sends a part as soon as it is written', async () => {
  let finish = () => {}
  answer = (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.write(`${head}first`)
    // What packs replies adds this, and Next calls it after each part.
    if ('flush' in response && typeof response.flush === 'function') response.flush()
    finish = () => response.end('last')
  }
  const request = get(`${origin}/payments`, { headers: { 'accept-encoding': 'br' }, agent: false })
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  const page = reply.pipe(createBrotliDecompress())
  const [part] = (await once(page, 'data')) as [Buffer]
  expect(part.toString()).toBe(`<head>${waits}</head><body>first`)
  finish()
  expect((await buffer(page)).toString()).toMatch(/^last<script nonce="n">/u)
})

it('takes text, and a page that is written at its end', async () => {
  answer = (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`${head}Ærø${rows}`)
  }
  const { body } = await ask('/payments', 'br')
  expect(body.startsWith(`<head>${waits}</head><body>Ærø${rows}<script nonce="n">`)).toBe(true)
})

it('leaves data alone, whatever it says it is', async () => {
  answer = sendPage
  expect((await ask('/api/service/Payments', 'br')).body).toBe(head + rows)
  answer = (_request, response) => {
    response.setHeader('content-type', 'text/x-component')
    response.end(head)
  }
  expect((await ask('/payments')).body).toBe(head)
})

it('ends a page once, however often it is ended, and says no length that no longer holds', async () => {
  answer = (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.setHeader('content-length', Buffer.byteLength(head + rows))
    response.write('<head>')
    response.write((head + rows).slice('<head>'.length))
    response.end()
    response.end()
  }
  const { body } = await ask('/payments')
  expect(body.match(/let sources=/gu)).toHaveLength(1)
})

it('leaves a page without a policy alone: its scripts have no nonce to go by', async () => {
  answer = (request, response) => {
    response.removeHeader('content-security-policy')
    sendPage(request, response)
  }
  expect((await ask('/payments', 'br')).body).toBe(head + rows)
})

it('answers HEAD, and a reply without a body, with none', async () => {
  answer = (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end()
  }
  expect((await ask('/payments', 'br', 'HEAD')).body).toBe('')
  answer = (_request, response) => response.writeHead(307, { location: '/sign-in' }).end()
  const { headers, body } = await ask('/payments', 'br')
  expect({ location: headers.location, body }).toEqual({ location: '/sign-in', body: '' })
})

it('packs nothing that asks to be left alone', async () => {
  answer = (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.setHeader('cache-control', 'private, no-store, no-transform')
    response.end(JSON.stringify(rows))
  }
  expect((await ask('/api/service/Payments', 'br')).headers['content-encoding']).toBeUndefined()
})

it('leaves a part of a file as it is: its range counts plain bytes', async () => {
  answer = (_request, response) => {
    response.writeHead(206, { 'content-type': 'text/css', 'content-range': 'bytes 0-1999/9000' })
    response.end('a'.repeat(2_000))
  }
  const { headers, body } = await ask('/_next/static/a.css', 'br')
  expect({ coding: headers['content-encoding'], length: body.length }).toEqual({ coding: undefined, length: 2_000 })
})
