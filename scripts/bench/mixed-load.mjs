import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../support/command.mjs'

const storeCookies = (cookies, reply) => {
  for (const line of reply.headers.getSetCookie()) {
    const [pair] = line.split(';')
    const at = pair.indexOf('=')
    cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/**
 * Signs in to `desk` without a browser. Returns `call(path, { method, body, allowed })`, which sends the same requests as
 * the desk's browser code and returns { status, text }, `open(path, signal)`, which returns the reply of a GET as it begins,
 * and `signOut()`. A status not in `allowed` throws a CommandError.
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
    storeCookies(cookies, reply)
    return { status: reply.status, text: await reply.text() }
  }
  // Like browsers, repeats a read when the server closed the kept-alive connection.
  const send = (path, options = {}) =>
    ask(path, options).catch((error) => {
      if (options.method && options.method !== 'GET') throw error
      return ask(path, options)
    })
  const check = async (path, { allowed = [200], ...options } = {}) => {
    const reply = await send(path, options)
    if (allowed.includes(reply.status)) return reply
    throw new CommandError(`${options.method ?? 'GET'} ${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`)
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
    open: (path, signal) =>
      fetch(`${desk}${path}`, {
        signal,
        headers: { 'x-debitdesk': '1', cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      }),
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

/** Reads a list page by page, like scrolling. Returns the last record of the first page. */
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

/** Cancels the newest cancellable payment and waits for the outcome. */
async function cancel(call) {
  const query = new URLSearchParams({ limit: '1', filter: "status eq 'Pending'" })
  const [payment] = json(await call(`/api/service/Payments?${query}`)).results
  if (!payment) throw new CommandError('No pending payment is left: seed more of them.')
  const { id: paymentId, amount, currency, status, modifiedAt } = payment
  const body = { key: randomUUID(), paymentId, reason: 'Load', seen: { amount, currency, status, modifiedAt } }
  await call('/api/desk/cancellations', { method: 'POST', body, allowed: [200, 202, 409] })
  for (let turn = 0; turn < 60; turn += 1) {
    const { cancellations } = json(await call(`/api/desk/cancellations?paymentId=${paymentId}`))
    if (settled.includes(cancellations[0]?.outcome)) return
    await sleep(500)
  }
  throw new CommandError(`The cancellation of ${paymentId} has not ended in 30 s.`)
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
    if (state !== 'running') throw new CommandError(`The export of all payments is ${state}.`)
    await sleep(500)
  }
  throw new CommandError('The export of all payments has not ended in five minutes.')
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

/** A turn of one person: signs in, reads everything, does what the role permits, signs out. */
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
 * Mixed work of `people` ({ role, email, password }) in turns until `until` (epoch milliseconds), with `pause`
 * milliseconds between requests. Calls `onCall` after each request. Throws on any unexpected reply.
 */
export async function mixLoad({ desk, people, until, pause, onCall }) {
  await Promise.all(
    people.map(async (who) => {
      for (let turn = 0; Date.now() < until; turn += 1) await spendTurn(desk, who, turn, pause, onCall)
    }),
  )
}
