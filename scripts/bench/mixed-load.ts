import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../support/command.mjs'

type Options = {
  method?: string
  body?: unknown
  /** The statuses that are no error; 200 if not given. */
  allowed?: number[]
}

type Request = { method?: string; body?: string; type?: string }

type Reply = { status: number; text: string }

type Call = (path: string, options?: Options) => Promise<Reply>

export type Session = {
  /** Sends the same requests as the desk's browser code; a status that is not allowed throws a CommandError. */
  call: Call
  /** Returns the reply of a GET as it begins. */
  open: (path: string, signal: AbortSignal) => Promise<Response>
  signOut: () => Promise<unknown>
}

type Person = { role: string; email: string; password: string }

const storeCookies = (cookies: Map<string, string>, reply: Response) => {
  for (const line of reply.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/** Signs in to `desk` without a browser. */
export async function signInByCall(
  desk: string,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<Session> {
  const cookies = new Map<string, string>()
  const origin = new URL(desk).origin
  const ask = async (path: string, { method = 'GET', body, type = 'application/json' }: Request): Promise<Reply> => {
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
  const send = (path: string, options: Request) =>
    ask(path, options).catch((error: unknown) => {
      if (options.method && options.method !== 'GET') throw error
      return ask(path, options)
    })
  const check = async (path: string, options: Request = {}, allowed = [200]) => {
    const reply = await send(path, options)
    if (allowed.includes(reply.status)) return reply
    throw new CommandError(`${options.method ?? 'GET'} ${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`)
  }
  const post = async (action: string, fields: Record<string, string>) => {
    const { csrfToken } = JSON.parse((await check('/api/auth/csrf')).text)
    const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' }).toString()
    return check(`/api/auth/${action}`, { method: 'POST', body, type: 'application/x-www-form-urlencoded' })
  }
  await post('callback/credentials', { email, password })
  return {
    call: (path, { method, body, allowed } = {}) =>
      check(path, { method, body: body === undefined ? undefined : JSON.stringify(body) }, allowed),
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

const json = ({ text }: Reply) => JSON.parse(text)

/** Reads a list page by page, like scrolling. Returns the last record of the first page. */
async function walk(call: Call, list: string, filter?: string): Promise<{ id: string; reference: string }> {
  const query = new URLSearchParams({ limit: '100', ...(filter && { filter }) })
  let first
  for (let count = 0; count < pagesOfWalk; count += 1) {
    const page = json(await call(`/api/service/${list}?${query}`))
    first ??= page.results.at(-1)
    if (page.continuation.kind !== 'more') break
    query.set('after', page.continuation.after)
  }
  return first
}

/** Cancels the newest cancellable payment and waits for the outcome. */
async function cancel(call: Call): Promise<void> {
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

async function exportPayments(call: Call): Promise<void> {
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
    if (state === 'complete') {
      await call(`/api/desk/exports/${exportId}/file`)
      return
    }
    if (state !== 'running') throw new CommandError(`The export of all payments is ${state}.`)
    await sleep(500)
  }
  throw new CommandError('The export of all payments has not ended in five minutes.')
}

async function createAndDelete(call: Call): Promise<void> {
  const body = { name: `Load ${randomUUID()}` }
  const { reply } = json(await call('/api/service/Customers', { method: 'POST', body }))
  await call(`/api/service/Customers/${reply.id}`, { method: 'DELETE', allowed: [200, 204] })
}

async function beRefused(call: Call, who: Person): Promise<void> {
  if (who.role === 'viewer') {
    await call('/api/desk/exports', { method: 'POST', body: {}, allowed: [400] })
    await call('/team', { allowed: [200, 403] })
  }
  await call('/api/service/Payments?limit=0', { allowed: [400] })
  await call(`/api/service/Customers/${randomUUID()}`, { allowed: [404] })
  await call(`/payments/${randomUUID()}`, { allowed: [200, 404] })
}

type Load = {
  desk: string
  people: readonly Person[]
  /** Epoch milliseconds. */
  until: number
  /** Milliseconds between requests. */
  pause: number
  onCall: () => void
}

/** A turn of one person: signs in, reads everything, does what the role permits, signs out. */
async function spendTurn({ desk, pause, onCall }: Load, who: Person, turn: number): Promise<void> {
  const { call: ask, signOut } = await signInByCall(desk, who)
  const call: Call = async (...given) => {
    const reply = await ask(...given)
    onCall()
    await sleep(pause)
    return reply
  }
  for (const page of pages) await call(page)
  const payment = await walk(call, 'Payments', turn % 2 ? filters[Math.floor(turn / 2) % filters.length] : undefined)
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

/** Mixed work of people in turns. Calls `onCall` after each request. Throws on any unexpected reply. */
export async function mixLoad(load: Load): Promise<void> {
  await Promise.all(
    load.people.map(async (who) => {
      for (let turn = 0; Date.now() < load.until; turn += 1) await spendTurn(load, who, turn)
    }),
  )
}
