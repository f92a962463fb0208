import { randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'
import { readPendingPayments } from '../support/api'
import { startDeskGroup } from '../support/desk-group'

/*
 * The throughput of a number of desks behind nginx on one Postgres. Arguments: desks, seconds for each kind of work. Prints the result,
 * the last line as JSON.
 */

const [desks = 1, seconds = 10] = process.argv.slice(2).map(Number)
const READERS = 16
const PAGES = 6
const CANCELLERS = 8
const WARM_UP_MS = 3_000

// Postgres runs as another user, which must be able to read its files.
process.umask(0o022)

type Send = (turn: number) => Promise<number>
type Measured = { perSecond: number; median: number; slow: number; refused: number }

/** Repeats `send` from `parallel` places at once. Times are in milliseconds. */
async function measure(parallel: number, milliseconds: number, send: Send): Promise<Measured> {
  const times: number[] = []
  let [turn, refused] = [0, 0]
  const began = performance.now()
  const work = async () => {
    while (performance.now() - began < milliseconds) {
      const at = performance.now()
      turn += 1
      const status = await send(turn)
      if (status === 0) return
      if (status >= 300) refused += 1
      else times.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  const took = (performance.now() - began) / 1_000
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  return { perSecond: sorted.length / took, median: at(0.5), slow: at(0.95), refused }
}

const group = await startDeskGroup(desks, { CANCEL_VELOCITY: 'off' }, 6_000)
try {
  const { url } = group
  const context = await group.signIn()
  const { cookies } = await context.storageState()
  const headers = {
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    'x-debitdesk': '1',
    origin: url,
    'sec-fetch-site': 'same-origin',
  }
  const payments = await readPendingPayments(context, url)
  const dispatcher = new Agent({ connections: 32, connect: { rejectUnauthorized: false } })
  const get = async (path: string) => {
    const { statusCode, body } = await request(`${url}${path}`, { dispatcher, headers })
    await body.dump()
    return statusCode
  }
  const cancel = async () => {
    const payment = payments.pop()
    if (!payment) return 0
    const { id: paymentId, amount, currency, status, modifiedAt } = payment
    const seen = { amount, currency, status, modifiedAt }
    const { statusCode, body } = await request(`${url}/api/desk/cancellations`, {
      dispatcher,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ key: randomUUID(), paymentId, reason: 'Measured', seen }),
    })
    await body.dump()
    return statusCode
  }
  const read = () => get('/api/service/Payments?limit=50')
  await measure(READERS, WARM_UP_MS, (turn) => (turn % 4 === 0 ? get('/payments') : read()))
  const result = {
    desks,
    seconds,
    reads: await measure(READERS, seconds * 1_000, read),
    pages: await measure(PAGES, seconds * 1_000, () => get('/payments')),
    cancellations: await measure(CANCELLERS, seconds * 1_000, cancel),
    leftPending: payments.length,
  }
  await context.dispose()
  await dispatcher.close()
  console.log(`RESULT ${JSON.stringify(result)}`)
} finally {
  await group.close()
}
