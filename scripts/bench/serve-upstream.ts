import { createServer } from 'node:http'

const names = ['Asta Holm', 'Birk Lund', 'Clara Friis', 'Emil Krogh', 'Freja Dam', 'Gustav Bech', 'Ida Juhl']
const subjects = ['Subscription', 'Membership', 'Electricity', 'Heating', 'Insurance']
const states = ['Pending', 'Settled', 'Settled', 'Settled', 'Cancelled', 'Rejected']
const newest = Date.UTC(2026, 5, 1)
const day = 86_400_000

/** The id of payment number `index`: a UUID that ends in the number, so that cursors need no lookup. */
const makeId = (index: number) => `9b1d3c52-6f0e-4a7b-8c21-${String(index).padStart(12, '0')}`

/** The number of an id of `makeId`, or -1. */
const readId = (id: string) => (id === makeId(Number(id.slice(24))) ? Number(id.slice(24)) : -1)

/** Payment number `index`, newest first; the same on every machine. */
function makePayment(index: number) {
  const created = newest - index * 61_000
  const due = created + (3 + (index % 4)) * day
  const date = (time: number) => new Date(time).toISOString().slice(0, 10)
  const status = states[(index * 7) % states.length]
  return {
    id: makeId(index),
    handle: `bench-${index}`,
    description: `${subjects[(index * 3) % subjects.length]} ${date(due).slice(0, 7)}`,
    reference: `B${String(index).padStart(8, '0')}`,
    amount: 10_000 + ((index * 7_919) % 190_000),
    currency: index % 3 === 0 ? 'EUR' : 'DKK',
    status,
    scheduleDate: date(due),
    paymentDate: date(due + day),
    settlementDate: status === 'Settled' ? date(due + 2 * day) : null,
    createdAt: new Date(created).toISOString(),
    modifiedAt: new Date(created + day).toISOString(),
    test: false,
    customer: { id: makeId(1_000_000 + (index % 9_973)), name: names[(index * 5) % names.length] },
    mandate: {
      id: makeId(2_000_000 + (index % 9_973)),
      handle: `mandate-${index % 9_973}`,
      scheme: index % 3 === 0 ? 'sepa-core' : 'nets-bs',
    },
  }
}

const style = `body{margin:0;font:14px sans-serif}
[data-scroller]{height:100vh;overflow-y:auto}
.dt-row{display:grid;grid-template-columns:2rem repeat(6,1fr);height:40px;align-items:center;content-visibility:auto;contain-intrinsic-height:40px}`

function writeRow(index: number): string {
  const { id, scheduleDate, customer, reference, description, amount, currency, status } = makePayment(index)
  const cells = [scheduleDate, customer.name, reference, description, `${amount / 100} ${currency}`, status]
  const tick = '<span><input type="checkbox"></span>'
  return `<div role="row" class="dt-row" data-row-id="${id}" aria-rowindex="${index + 2}">${tick}${cells.map((cell) => `<span>${cell}</span>`).join('')}</div>`
}

/** The reference page: the first `count` payments as HTML without script, with the row attributes of the desk. */
function makePlainPage(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => writeRow(index)).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Rows</title><style>${style}</style><div data-scroller>${rows}</div></html>`
}

// The benchmark's service, a process of its own: it takes its port and how many payments there are. Serves cached pages of payments by
// cursor; PUT /latency?ms=15 sets the delay of replies; /plain?rows=100 is the reference page.
const [port, rows = 0] = process.argv.slice(2).map(Number)
const made = new Map<string, Buffer>()
let latency = 0

function makeOnce(key: string, make: () => string): Buffer {
  const known = made.get(key) ?? Buffer.from(make())
  made.set(key, known)
  return known
}

function makePage(after: number, limit: number): string {
  const end = Math.min(rows, after + 1 + limit)
  const results = Array.from({ length: end - after - 1 }, (_, place) => makePayment(after + 1 + place))
  const hasMore = end < rows
  return JSON.stringify({ results, nextOffset: hasMore ? makeId(end - 1) : null, hasMore })
}

function answer(method: string | undefined, { pathname, searchParams }: URL): [number, string, Buffer] {
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
    const cursor = searchParams.get('after')
    const after = cursor ? readId(cursor) : -1
    return [200, json, makeOnce(`${after} ${limit}`, () => makePage(after, limit))]
  }
  const index = pathname.startsWith('/Payments/') ? readId(pathname.slice(10)) : -1
  if (index >= 0 && index < rows) return [200, json, Buffer.from(JSON.stringify(makePayment(index)))]
  if (pathname === '/') return [200, json, Buffer.from('{}')]
  return [404, 'application/problem+json', Buffer.from('{"status":404}')]
}

createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const [status, type, body] = answer(request.method, new URL(request.url ?? '/', 'http://bench'))
  const send = () => response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body)
  if (latency > 0) setTimeout(send, latency)
  else send()
}).listen(port, '127.0.0.1')
