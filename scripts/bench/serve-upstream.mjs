import { createServer } from 'node:http'
import { makeId, makePayment, readId } from './make-payment.mjs'
import { makePlainPage } from './make-plain-page.mjs'

// The service of the bench, a process of its own: `node serve-upstream.mjs PORT ROWS`. Pages of payments by cursor,
// made once each; PUT /latency?ms=15 sets how long an answer waits; /plain?rows=100 is the reference page.
const [port, rows] = process.argv.slice(2).map(Number)
const made = new Map()
let latency = 0

function makeOnce(key, make) {
  if (!made.has(key)) made.set(key, Buffer.from(make()))
  return made.get(key)
}

function makePage(after, limit) {
  const end = Math.min(rows, after + 1 + limit)
  const results = Array.from({ length: end - after - 1 }, (_, place) => makePayment(after + 1 + place))
  const hasMore = end < rows
  return JSON.stringify({ results, nextOffset: hasMore ? makeId(end - 1) : null, hasMore })
}

function answer(method, { pathname, searchParams }) {
  const json = 'application/json'
  if (method === 'PUT') {
    latency = Number(searchParams.get('ms'))
    return [200, json, Buffer.from('{}')]
  }
  if (pathname === '/plain') {
    const count = Number(searchParams.get('rows'))
    return [200, 'text/html; charset=utf-8', makeOnce(`plain ${count}`, () => makePlainPage(count))]
  }
  if (pathname === '/Payments') {
    const limit = Math.min(100, Number(searchParams.get('limit') ?? 100))
    const after = searchParams.get('after') ? readId(searchParams.get('after')) : -1
    return [200, json, makeOnce(`${after} ${limit}`, () => makePage(after, limit))]
  }
  const index = pathname.startsWith('/Payments/') ? readId(pathname.slice(10)) : -1
  if (index >= 0 && index < rows) return [200, json, Buffer.from(JSON.stringify(makePayment(index)))]
  if (pathname === '/') return [200, json, Buffer.from('{}')]
  return [404, 'application/problem+json', Buffer.from('{"status":404}')]
}

createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const [status, type, body] = answer(request.method, new URL(request.url, 'http://bench'))
  const send = () => response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body)
  if (latency > 0) setTimeout(send, latency)
  else send()
}).listen(port, '127.0.0.1')
