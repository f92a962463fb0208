import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from '../support/command.mjs'

const keep = (cookies, reply) => {
  for (const line of reply.headers.getSetCookie()) {
    const [pair] = line.split(';')
    const at = pair.indexOf('=')
    cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/**
 * Signs in at `desk` without a page. Answers `call(path, { method, body, allowed })`, which sends what the desk's own
 * browser code sends and reads the reply to its end: { status, text }; and `signOut()`. A status beyond `allowed` is a
 * CommandFailure, there and at signing in and out.
 */
export async function signInByCall(desk, { email, password }) {
  const cookies = new Map()
  const origin = new URL(desk).origin
  const ask = async (path, { method = 'GET', body, type = 'application/json' } = {}) => {
    const reply = await fetch(`${desk}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-debitdesk': '1',
        origin,
        'sec-fetch-site': 'same-origin',
        'accept-encoding': 'gzip, br',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      body,
    })
    keep(cookies, reply)
    return { status: reply.status, text: await reply.text() }
  }
  // As browsers do: a read whose kept connection the desk closes just then is sent once more.
  const send = (path, options = {}) =>
    ask(path, options).catch((error) => {
      if (options.method && options.method !== 'GET') throw error
      return ask(path, options)
    })
  const check = async (path, { allowed = [200], ...options } = {}) => {
    const reply = await send(path, options)
    if (allowed.includes(reply.status)) return reply
    throw new CommandFailure(`${options.method ?? 'GET'} ${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`)
  }
  const post = async (action, fields) => {
    const { csrfToken } = JSON.parse((await check('/api/auth/csrf')).text)
    const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' }).toString()
    return check(`/api/auth/${action}`, { method: 'POST', body, type: 'application/x-www-form-urlencoded' })
  }
  await post('callback/credentials', { email, password })
  return {
    call: (path, { body, ...options } = {}) =>
      check(path, { ...options, body: body === undefined ? undefined : JSON.stringify(body) }),
    signOut: () => post('signout', {}),
  }
}

const pages = [
  '/',
  '/payments',
  '/payments/closing',
  '/customers',
  '/mandates',
  '/agreements',
  '/webhooks',
  '/activity',
  '/reference',
]
const filters = ["status eq 'Pending'", "currency eq 'SEK'", "contains(customer/name,'an')"]
const pagesOfWalk = 200
const settled = ['cancelled', 'not-cancelled', 'needs-person']

const json = ({ text }) => JSON.parse(text)

/** Reads a list page by page, as somebody who scrolls does; answers the last record of the first page. */
async function walk(call, list, filter) {
  const query = new URLSearchParams({ limit: '100', ...(filter && { filter }) })
  let first
  for (let count = 0; count < pagesOfWalk; count += 1) {
    const page = json(await call(`/api/service/${list}?${query}`))
    first ??= page.results.at(-1)
    if (!page.hasMore) break
    query.set('after', page.nextOffset)
  }
  return first
}

/** Cancels the newest payment that can be, and waits for what became of it. */
async function cancel(call) {
  const query = new URLSearchParams({ limit: '1', filter: "status eq 'Pending'" })
  const [payment] = json(await call(`/api/service/Payments?${query}`)).results
  if (!payment) throw new CommandFailure('No pending payment is left: seed more of them.')
  const { id: paymentId, amount, currency, status, modifiedAt } = payment
  const body = { key: randomUUID(), paymentId, reason: 'Load', seen: { amount, currency, status, modifiedAt } }
  await call('/api/desk/cancellations', { method: 'POST', body, allowed: [200, 202, 409] })
  for (let turn = 0; turn < 60; turn += 1) {
    const { cancellations } = json(await call(`/api/desk/cancellations?paymentId=${paymentId}`))
    if (settled.includes(cancellations[0]?.outcome)) return
    await sleep(500)
  }
  throw new CommandFailure(`The cancellation of ${paymentId} has not ended in 30 s.`)
}

async function exportPayments(call) {
  const body = {
    list: 'listPayments',
    asked: null,
    rest: null,
    order: null,
    filters: {},
    columns: ['reference', 'amount'],
    zone: 'UTC',
  }
  const { exportId } = json(await call('/api/desk/exports', { method: 'POST', body, allowed: [202] }))
  for (let turn = 0; turn < 600; turn += 1) {
    const { state } = json(await call(`/api/desk/exports/${exportId}`))
    if (state === 'complete') return call(`/api/desk/exports/${exportId}/file`)
    if (state !== 'running') throw new CommandFailure(`The export of all payments is ${state}.`)
    await sleep(500)
  }
  throw new CommandFailure('The export of all payments has not ended in five minutes.')
}

async function createAndDelete(call) {
  const body = { name: `Load ${randomUUID()}` }
  const { reply } = json(await call('/api/service/Customers', { method: 'POST', body }))
  await call(`/api/service/Customers/${reply.id}`, { method: 'DELETE', allowed: [200, 204] })
}

async function beRefused(call, who) {
  if (who.role === 'viewer') {
    await call('/api/desk/exports', { method: 'POST', body: {}, allowed: [400] })
    await call('/team', { allowed: [200, 403] })
  }
  await call('/api/service/Payments?limit=0', { allowed: [400] })
  await call(`/api/service/Customers/${randomUUID()}`, { allowed: [404] })
  await call(`/payments/${randomUUID()}`, { allowed: [200, 404] })
}

/** One turn of somebody's day: signs in, reads everything, does what the role may, signs out. */
async function spendTurn(desk, who, turn, pause, onCall) {
  const { call: ask, signOut } = await signInByCall(desk, who)
  const call = async (...given) => {
    const reply = await ask(...given)
    onCall()
    await sleep(pause)
    return reply
  }
  for (const page of pages) await call(page)
  const payment = await walk(call, 'Payments', turn % 2 ? filters[Math.floor(turn / 2) % filters.length] : null)
  const customer = await walk(call, 'Customers')
  const mandate = await walk(call, 'Customers/mandates')
  await call(`/payments/${payment.id}`)
  await call(`/customers/${customer.id}`)
  await call(`/mandates/${mandate.id}`)
  await call(`/payments?${new URLSearchParams({ status: 'Pending' })}`)
  await call('/api/desk/overview')
  await call(`/api/desk/search?${new URLSearchParams({ q: payment.reference })}`)
  await beRefused(call, who)
  if (who.role !== 'viewer') await cancel(call)
  if (who.role === 'admin') {
    for (const page of ['/team', '/merchant', '/merchants']) await call(page)
    await createAndDelete(call)
    if (turn % 3 === 0) await exportPayments(call)
  }
  await signOut()
}

/**
 * Mixed work of each of `people` ({ role, email, password }), turn after turn until `until` (epoch milliseconds), with
 * `pause` milliseconds between requests. Calls `onCall` after each. Throws where anything answers otherwise than it should.
 */
export async function mixLoad({ desk, people, until, pause, onCall }) {
  await Promise.all(
    people.map(async (who) => {
      for (let turn = 0; Date.now() < until; turn += 1) await spendTurn(desk, who, turn, pause, onCall)
    }),
  )
}
