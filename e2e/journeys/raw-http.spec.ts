import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { APIRequestContext } from '@playwright/test'
import { expect, test } from '../support/journey'
import { sendBytes, sendRaw } from '../support/raw-http'
import { signIn } from '../support/session'

const targets = [
  '..',
  '.',
  '../Merchants',
  '%2e%2e',
  '%2E%2e/Merchants',
  '%2e%2e%2fMerchants',
  '..%2f..%2fMerchants',
  '..%5cMerchants',
  '..;/Merchants',
  '%252e%252e',
  'a%2fb',
  'a%5cb',
  '%5c',
  '%00',
  '%0d%0aX:%20y',
  'a;x',
  'a%3fb',
  'a%23b',
  '%ff',
  '%C3',
  '%ED%A0%80',
  '%',
  '%zz',
  '',
  '/',
  'x'.repeat(10_000),
]
const templates = [
  'GET /api/service/Customers/',
  'PUT /api/service/Customers/',
  'DELETE /api/service/Customers/',
  'GET /api/service/Customers/mandates/',
  'GET /api/service/Merchants/agreements/',
  'DELETE /api/service/Merchants/agreements/',
  'DELETE /api/service/Payments/',
  'GET /api/desk/cancellations/',
]

async function readCookie(request: APIRequestContext): Promise<string> {
  const { cookies } = await request.storageState()
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

test('what is written into a path parameter never leaves it', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('admin'))
  const headers = { cookie: await readCookie(context.request), origin: desk.url, 'x-debitdesk': '1' }
  expect((await sendRaw(desk.url, 'GET /api/service/Customers?limit=1', headers)).status).toBe(200)
  for (const template of templates) {
    for (const target of targets) {
      const { status, headers: answered, body } = await sendRaw(desk.url, `${template}${target}`, headers)
      const shown = `${template}${target.slice(0, 30)}`
      expect(status, shown).toBe(target === '' ? 404 : 400)
      expect(answered['content-type'], shown).toBe('application/problem+json; charset=utf-8')
      expect(answered['cache-control'], shown).toBe('private, no-store')
      expect(body, shown).toContain(target === '' ? '/problems/not-found' : '/problems/bad-request')
    }
  }
})

test('a request for another place than the desk goes nowhere', async ({ desk }) => {
  for (const target of [
    'http://127.0.0.1:1/Payments',
    'http://169.254.169.254/latest',
    '//evil.test/Payments',
    '/\\evil.test',
  ]) {
    expect((await sendRaw(desk.url, `GET ${target}`)).status, target).toBe(400)
  }
})

test('a page whose address does not decode is refused, not broken', async ({ desk }) => {
  for (const target of ['/payments/%ff', '/%ED%A0%80', '/sign-in/%', '/api/%C3/x', '/_next/%ff']) {
    expect((await sendRaw(desk.url, `GET ${target}`)).status, target).toBe(400)
  }
})

test('a method that is not declared is 405 and says which are', async ({ desk }) => {
  for (const method of ['TRACE', 'PURGE', 'PROPFIND', 'PATCH', 'PUT', 'OPTIONS']) {
    const { status, headers } = await sendRaw(desk.url, `${method} /api/service/Payments`)
    expect(status, method).toBe(405)
    expect(headers.allow, method).toBe('GET, HEAD')
    expect(
      Object.keys(headers).filter((name) => name.startsWith('access-control')),
      method,
    ).toEqual([])
  }
  expect((await sendRaw(desk.url, 'TRACE /payments')).status).toBe(405)
})

test('an address that is not documented is 404, in any other letter case too', async ({ desk }) => {
  for (const path of [
    '/api/service/customers',
    '/api/service/Customers/mandates/x/y',
    '/api/Service/Payments',
    '/api/nothing',
  ]) {
    const { status, headers } = await sendRaw(desk.url, `GET ${path}`)
    expect([status, headers['content-type']], path).toEqual([404, 'application/problem+json; charset=utf-8'])
  }
})

test('a client that asks for more than it reads is let go, and so is one that names two hosts', async ({ desk }) => {
  const { host } = new URL(desk.url)
  const line = 'GET /api/health HTTP/1.1\r\n'
  expect(await sendBytes(desk.url, `${line}Host: ${host}\r\n\r\n`.repeat(4_000))).toBe('')
  expect(await sendBytes(desk.url, `${line}Host: ${host}\r\nHost: evil.test\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /u)
  expect((await sendRaw(desk.url, 'GET /api/health')).status).toBe(200)
})

test('no origin is ever let in by CORS (BF-16)', async ({ desk }) => {
  for (const origin of ['null', 'https://evil.test', desk.url, `${desk.url}.evil.test`]) {
    for (const line of ['OPTIONS /api/service/Payments', 'GET /api/health', 'OPTIONS /payments', 'GET /sign-in']) {
      const { headers } = await sendRaw(desk.url, line, {
        origin,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'x-debitdesk',
      })
      expect(
        Object.keys(headers).filter((name) => name.startsWith('access-control')),
        `${line} ${origin}`,
      ).toEqual([])
    }
  }
})

const MB = 1_048_576

/** Resident memory in MB of the desk's process, whose id is in its store's lock. Needs /proc. */
async function readMemory(dataDir: string): Promise<number> {
  const pid = Number.parseInt(await readFile(`${dataDir}/desk/debitdesk.lock`, 'utf8'), 10)
  const kilobytes = /^VmRSS:\s+(\d+)/mu.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round((Number(kilobytes) * 1_024) / MB)
}

/** Lifetime of a flood's socket, which reads nothing and so never notices that it was closed. */
const FLOOD_SOCKET_MS = 1_000

/** Keeps `count` sockets sending `bytes` without reading, from another address than the visitor's, until `end`. */
function flood(desk: string, bytes: string, count: number): { opened: () => number; end: () => void } {
  const { hostname, port } = new URL(desk)
  const sockets = new Set<Socket>()
  let opened = 0
  let isOver = false
  const open = () => {
    if (isOver) return
    opened += 1
    const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.0.2' }, () => socket.write(bytes))
    sockets.add(socket)
    socket.pause().on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      open()
    })
    setTimeout(() => socket.destroy(), FLOOD_SOCKET_MS)
  }
  for (let index = 0; index < count; index += 1) setTimeout(open, (FLOOD_SOCKET_MS * index) / count)
  return {
    opened: () => opened,
    end: () => {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The reply to a request from another address of this machine. */
function sendFrom(localAddress: string, desk: string): Promise<string> {
  const { hostname, port, host } = new URL(desk)
  return new Promise((resolve, reject) => {
    let received = ''
    connect({ port: Number(port), host: hostname, localAddress })
      .on('data', (chunk) => (received += chunk.toString()))
      .on('error', reject)
      .on('close', () => resolve(received))
      .write(`GET /sign-in HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  })
}

/** Simulates a visitor for `duration` ms. Returns the durations of their requests in ms, ascending. */
async function visit(desk: string, duration: number): Promise<number[]> {
  const until = Date.now() + duration
  const times: number[] = []
  while (Date.now() < until) {
    for (const path of ['/api/health', '/sign-in']) {
      const began = Date.now()
      expect((await sendRaw(desk, `GET ${path}`)).status, path).toBe(200)
      times.push(Date.now() - began)
    }
    await pause(100)
  }
  return times.toSorted((one, other) => one - other)
}

const p95 = (times: number[]) => times[Math.floor(times.length * 0.95)] ?? Number.NaN

test('a flood of pipelined requests, whose replies nobody reads, leaves the desk to its visitors', {
  tag: '@long',
}, async ({ desk }) => {
  test.skip(process.platform !== 'linux', 'memory is read from /proc')
  const { host } = new URL(desk.url)
  const seconds = Number(process.env.FLOOD_SECONDS ?? 20)
  const report = async (when: string, times: number[], opened = 0) =>
    console.log(
      `${when}: ${times.length} requests, p95 ${p95(times)} ms, longest ${times.at(-1)} ms,`,
      `${await readMemory(desk.dataDir)} MB${opened > 0 ? `, ${opened} sockets` : ''}`,
    )
  await report('before', await visit(desk.url, 3_000))
  const before = await readMemory(desk.dataDir)
  for (const [path, requests, sockets] of [
    ['/sign-in', 4_000, 1],
    ['/sign-in', 4_000, 5],
    ['/sign-in', 8, 5],
  ] as const) {
    const attack = flood(desk.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(requests), sockets)
    await report(`${sockets} × ${requests}`, await visit(desk.url, seconds * 1_000), attack.opened())
    attack.end()
  }
  await pause(10_000)
  // The flooding address is not blocked once it has stopped.
  expect(await sendFrom('127.0.0.2', desk.url)).toMatch(/^HTTP\/1\.1 200/u)
  await report('after', await visit(desk.url, 3_000))
  // The garbage collector may leave up to 256 MB.
  expect((await readMemory(desk.dataDir)) - before).toBeLessThan(256)
})
