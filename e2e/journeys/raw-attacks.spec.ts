import { connect } from 'node:net'
import type { APIRequestContext } from '@playwright/test'
import { callApi } from '../support/api'
import { expect, test } from '../support/journey'
import { sendBytes, sendRaw } from '../support/raw-http'
import { signIn, signInByCall } from '../support/session'

async function readCookie(request: APIRequestContext): Promise<string> {
  const { cookies } = await request.storageState()
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

/** Expects a refusal like that of an anonymous request (a redirect to sign-in, a refusal, or not found) without any data. */
function expectDenied({ status, body }: { status: number; body: string }, shown: string): void {
  expect([307, 308, 400, 401, 404, 405], shown).toContain(status)
  expect(body, shown).not.toMatch(/data-row-id|"results"|customerName/u)
}

const bypasses: Record<string, string>[] = [
  { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
  { 'x-middleware-subrequest': 'middleware:src/middleware:pages/_middleware' },
  { rsc: '1' },
  { rsc: '1', 'next-router-prefetch': '1' },
  { rsc: '1', 'next-router-segment-prefetch': '/_tree' },
  { rsc: '1', 'next-router-segment-prefetch': '/payments/__PAGE__' },
  { 'next-router-state-tree': '%5B%22%22%5D', rsc: '1' },
  { 'next-resume': '1' },
  { 'x-nextjs-data': '1' },
  { 'x-matched-path': '/payments' },
  { 'x-invoke-path': '/payments' },
  { 'x-now-route-matches': '1=payments' },
  { 'x-original-url': '/payments', 'x-rewrite-url': '/payments' },
  { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test', host: 'evil.test' },
  { authorization: 'Bearer %E0%A4%A' },
  { 'x-desk-path': '//evil.test', 'x-nonce': '"><script>' },
]

test('no header of the framework’s lets anybody past the door (AZ-03, SE-17, SE-20)', async ({ desk }) => {
  for (const headers of bypasses) {
    for (const target of ['/payments', '/', '/team', '/api/service/Payments', '/api/desk/team']) {
      const reply = await sendRaw(desk.url, `GET ${target}`, headers)
      const shown = `${target} ${JSON.stringify(headers)}`
      expectDenied(reply, shown)
      expect(reply.headers.location ?? '', shown).not.toContain('evil.test')
      expect(JSON.stringify(reply.headers) + reply.body, shown).not.toContain('"><script>')
    }
  }
})

test('no other spelling of an address leads past the door (AZ-03, BF-12, BF-13)', async ({ desk }) => {
  for (const target of [
    '/payments.rsc',
    '/payments.segments/_tree.segment.rsc',
    '/_next/data/build/payments.json',
    '/payments?_rsc=x',
    '/payments?nxtPpaymentId=x',
    '//payments',
    '/%70ayments',
    '/payments%2f',
    '/PAYMENTS',
    '/payments/',
    '/payments/x.css',
    '/api/service/Payments/..%2fx.js',
    '/api/service/Payments.json',
    '/_next/image?url=%2Ffavicon.svg&w=64&q=75',
    '/_next/image?url=http%3A%2F%2F127.0.0.1%3A1%2Fx&w=64&q=75',
  ]) {
    const reply = await sendRaw(desk.url, `GET ${target}`)
    expectDenied(reply, target)
    expect(reply.headers['cache-control'] ?? 'no-store', target).not.toMatch(/s-maxage|public/u)
  }
})

test('two requests in one, or half of one, end the connection (BF-05)', async ({ desk }) => {
  const { host } = new URL(desk.url)
  const head = `POST /api/desk/cancellations HTTP/1.1\r\nHost: ${host}\r\n`
  const smuggled = `GET /payments HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  for (const [name, bytes] of Object.entries({
    'a length and chunks': `${head}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    'an odd coding': `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    'two lengths': `${head}Content-Length: 0\r\nContent-Length: 40\r\n\r\n${smuggled}`,
    'a space before the colon': `${head}Content-Length : 5\r\n\r\nabcde`,
    'a folded line': `${head}X-A: b\r\n c\r\n\r\n`,
    'a bare line feed in a name': `${head}X-A\n: b\r\n\r\n`,
    'headers without end': `${head}${`X-A: ${'b'.repeat(1_000)}\r\n`.repeat(40)}\r\n`,
  })) {
    const said = await sendBytes(desk.url, bytes)
    expect(said.match(/HTTP\/1\.1 \d+/gu) ?? [], name).toHaveLength(1)
    expect(said, name).toMatch(/^HTTP\/1\.1 4\d\d/u)
  }
})

/** Line breaks in all encodings that an intermediary might decode. */
const lineBreaks = [
  '%0d%0a',
  '%0a',
  '%0d',
  '%E5%98%8A%E5%98%8D',
  '%C0%8D%C0%8A',
  '%250d%250a',
  '%u000d%u000a',
  '%00%0d%0a',
]

test('nothing that is echoed begins another line of the head, or another reply (BF-19)', async ({
  desk,
  playwright,
}) => {
  const viewer = await playwright.request.newContext()
  await signInByCall(viewer, desk.url, desk.signIn('viewer'))
  const cookie = await readCookie(viewer)
  const { host } = new URL(desk.url)
  for (const lineBreak of lineBreaks) {
    const split = `x${lineBreak}x-split:yes${lineBreak}${lineBreak}HTTP/1.1%20200%20OK`
    for (const [line, field] of [
      [`GET /payments?state=${split}`, ''],
      [`GET /payments/${split}`, ''],
      [`GET /${split}`, ''],
      [`GET /sign-in?callbackUrl=/${split}`, ''],
      [`GET /api/auth/signin?callbackUrl=/${split}`, ''],
      [`GET /api/auth/error?error=${split}`, ''],
      [`GET /api/service/Customers/${split}`, ''],
      [`GET /api/desk/exports/${split}/file`, ''],
      [`GET /hooks/${split}`, ''],
      [`GET /payments?merchant=${split}`, `cookie: ${cookie}`],
      [`GET /sign-in?callbackUrl=/${split}`, `cookie: ${cookie}`],
      ['GET /api/health', `traceparent: ${split}`],
      ['GET /api/service/Payments', `cookie: ${cookie}\r\nx-debitdesk-merchant: ${split}`],
      ['GET /payments', `cookie: next-auth.callback-url=${split}`],
    ] as const) {
      const fields = `Host: ${host}\r\nConnection: close\r\n${field && `${field}\r\n`}`
      const said = await sendBytes(desk.url, `${line} HTTP/1.1\r\n${fields}\r\n`)
      const [head = ''] = said.split('\r\n\r\n')
      expect(head, line).toMatch(/^HTTP\/1\.1 (?:200|30[278]|40[01345])/u)
      expect(head, line).not.toMatch(/^x-split|[\r\n]x-split|[^\r]\n|\r[^\n]/iu)
    }
  }
  await viewer.dispose()
})

test('old and hasty clients are served or let go (BF-20)', async ({ desk }) => {
  const { host } = new URL(desk.url)
  expect(await sendBytes(desk.url, 'GET /api/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 (?:200|400)/u)
  const two = `GET /api/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  expect((await sendBytes(desk.url, two + two)).match(/HTTP\/1\.1 200/gu)).toHaveLength(2)
})

for (const many of [500, 10_000]) {
  const tag = many > 500 ? '@long' : []
  test(`${many} clients that say nothing, or half a head, keep nobody waiting (BF-20)`, { tag }, async ({ desk }) => {
    const { hostname, port } = new URL(desk.url)
    const idle = Array.from({ length: many }, () => connect(Number(port), hostname))
    for (const [index, socket] of idle.entries()) {
      socket.on('error', () => undefined)
      if (index % 2 === 0) socket.write('GET /payments HTTP/1.1\r\nX-Slow: ')
    }
    expect((await sendRaw(desk.url, 'GET /api/health')).status).toBe(200)
    for (const socket of idle) socket.destroy()
  })
}

test('the desk connects to nobody on request, and upgrades to nothing (BF-06)', async ({ desk }) => {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  }
  for (const target of ['/payments', '/_next/webpack-hmr', '/_next/hmr', '/api/service/Payments', '//evil.test/x']) {
    const { host } = new URL(desk.url)
    const lines = Object.entries(upgrade).map(([name, value]) => `${name}: ${value}\r\n`)
    const said = await sendBytes(desk.url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`)
    expect(said, target).toMatch(/^HTTP\/1\.1 400 .*\r\nconnection: close\r\n/su)
  }
  expect(await sendBytes(desk.url, 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 /u,
  )
})

test('bodies are bounded, JSON, plain and whole (BF-14, BF-15, BF-17, AZ-05)', async ({ page, desk, context }) => {
  await signIn(page, desk.signIn('admin'))
  const own = {
    cookie: await readCookie(context.request),
    origin: desk.url,
    'x-debitdesk': '1',
    'content-type': 'application/json',
  }
  const send = (headers: Record<string, string>, data: string | Buffer, path = '/api/service/Customers') =>
    context.request.post(desk.url + path, { headers: { ...own, ...headers }, data, maxRedirects: 0 })
  const statuses: [string, number, number][] = [
    ['two megabytes', (await send({}, JSON.stringify({ name: 'x'.repeat(2_000_000) }))).status(), 413],
    ['12 megabytes', (await send({}, Buffer.alloc(12_000_000, 32))).status(), 413],
    ['ten thousand levels', (await send({}, '['.repeat(10_000) + ']'.repeat(10_000))).status(), 400],
    ['text', (await send({ 'content-type': 'text/plain' }, '{}')).status(), 415],
    ['UTF-16', (await send({ 'content-type': 'application/json; charset=utf-16' }, '{}')).status(), 415],
    ['gzip', (await send({ 'content-encoding': 'gzip' }, '{}')).status(), 415],
    ['not UTF-8', (await send({}, Buffer.from([0x22, 0xff, 0x22]))).status(), 400],
    [
      'fields that nobody asked for',
      (await send({}, '{"name":"x","role":"admin","connectionId":"y","createdBy":"z"}')).status(),
      400,
    ],
    ['a prototype', (await send({}, '{"__proto__":{"role":"admin"}}')).status(), 400],
    [
      'an action of the framework’s',
      (await send({ 'next-action': 'x'.repeat(40), accept: 'text/x-component' }, '[]', '/payments')).status(),
      400,
    ],
  ]
  for (const [name, status, expected] of statuses) expect(status, name).toBe(expected)

  for (const query of [
    'limit=1&limit=1000',
    'limit=0',
    'limit=-1',
    'limit=101',
    'limit=1e9',
    'limit=1.5',
    'limit=abc',
    'unknown=1',
  ]) {
    expect((await callApi(context.request, `${desk.url}/api/service/Payments?${query}`)).status(), query).toBe(400)
  }
  const multipart = Buffer.from(
    '--x\r\ncontent-disposition: form-data; name="0"\r\n\r\n{"then":"$1:__proto__:then"}\r\n--x--',
  )
  const flight = await context.request.post(`${desk.url}/payments`, {
    headers: { ...own, 'content-type': 'multipart/form-data; boundary=x', 'next-action': 'a'.repeat(42) },
    data: multipart,
    maxRedirects: 0,
  })
  expect(flight.status()).toBeLessThan(500)
  expect((await callApi(context.request, `${desk.url}/api/health`)).status()).toBe(200)
})

test('strangers’ bodies are refused before they are taken in', async ({ desk, playwright }) => {
  const stranger = await playwright.request.newContext()
  for (const [path, expected] of [
    ['/api/service/Customers', 401],
    ['/api/desk/team', 401],
    ['/api/auth/callback/credentials', 413],
    ['/api/password-link', 413],
  ] as const) {
    const reply = await callApi(stranger, desk.url + path, { method: 'POST', body: { x: 'y'.repeat(3_000_000) } })
    expect(reply.status(), path).toBe(expected)
  }
  await stranger.dispose()
})
