import { randomUUID } from 'node:crypto'
import { request as send } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import type { APIRequestContext } from '@playwright/test'
import { callApi, type ListedPayment, readPayments } from '../support/api'
import { readWrites } from '../support/cancellation'
import { type DeskGroup, startDeskGroup } from '../support/desk-group'
import { expect, test as base } from '../support/journey'
import { hasNginx } from '../support/nginx'

/* Several desks on one Postgres 15 behind nginx, without sticky sessions: each request may reach any of them. */

const long = { tag: ['@long', '@alone'] }

const test = base.extend<{ count: number; group: DeskGroup }>({
  count: [2, { option: true }],
  group: async ({ count }, provide) => {
    const group = await startDeskGroup(count, { CANCEL_VELOCITY: 'off' })
    await provide(group)
    await group.close()
  },
  baseURL: async ({ group }, provide) => provide(group.url),
})
test.skip(!hasNginx, 'nginx or openssl is not here')

const pending = { filter: "status eq 'Pending'" }

function requestCancellation(context: APIRequestContext, url: string, payment: ListedPayment, key: string) {
  const { id: paymentId, amount, currency, status, modifiedAt } = payment
  const body = { key, paymentId, reason: 'Ordered twice', seen: { amount, currency, status, modifiedAt } }
  return callApi(context, `${url}/api/desk/cancellations`, { method: 'POST', body })
}

async function readOutcome(context: APIRequestContext, url: string, paymentId: string): Promise<string> {
  const reply = await callApi(context, `${url}/api/desk/cancellations?paymentId=${paymentId}`)
  const { cancellations }: { cancellations: { outcome: string }[] } = await reply.json()
  return cancellations[0]?.outcome ?? 'none'
}

/** How often the service was asked to cancel each of these payments. */
async function countDeletes({ service }: DeskGroup, payments: readonly { id: string }[]): Promise<number[]> {
  const writes = await readWrites(service.dataDir)
  return payments.map(
    ({ id }) => writes.filter(({ method, path }) => method === 'DELETE' && path === `/Payments/${id}`).length,
  )
}

/** A page's stream of changes; returns what it was told so far. */
async function openEvents(context: APIRequestContext, url: string): Promise<{ told: () => string; close: () => void }> {
  const { cookies } = await context.storageState()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  let told = ''
  const request = send(`${url}/api/desk/events`, { headers: { cookie }, rejectUnauthorized: false }, (reply) =>
    reply.setEncoding('utf8').on('data', (text: string) => {
      told += text
    }),
  )
  request.on('error', () => undefined).end()
  await expect.poll(() => told, { timeout: 20_000 }).toContain(': open')
  return { told: () => told, close: () => void request.destroy() }
}

async function poll(context: APIRequestContext, url: string, wanted: string): Promise<Record<string, unknown>> {
  let view: Record<string, unknown> = {}
  const read = async () => {
    view = await (await callApi(context, url)).json()
    return view.state
  }
  await expect.poll(read, { timeout: 120_000 }).toBe(wanted)
  return view
}

async function cancelSome(group: DeskGroup, context: APIRequestContext, payments: readonly ListedPayment[]) {
  const { url } = group
  // The same key twice at once, at whatever desks: one cancellation.
  const replies = await Promise.all(
    payments.map(async (payment) => {
      const key = randomUUID()
      const ask = async () => {
        for (;;) {
          const reply = await (await requestCancellation(context, url, payment, key)).json()
          // The other desk is at it.
          if (!String(reply.type).endsWith('/in-flight')) return reply
          await wait(reply.retryAfter * 1_000)
        }
      }
      return Promise.all([ask(), ask()])
    }),
  )
  for (const [one, other] of replies) {
    expect([one, other]).toEqual([1, 2].map(() => expect.objectContaining({ id: expect.any(String) })))
    expect(one.id).toBe(other.id)
  }
  for (const { id } of payments)
    await expect.poll(() => readOutcome(context, url, id), { timeout: 60_000 }).toBe('cancelled')
  expect(await countDeletes(group, payments)).toEqual(payments.map(() => 1))
}

async function cancelInBulk(group: DeskGroup, context: APIRequestContext, payments: readonly ListedPayment[]) {
  const { url } = group
  const rows = payments.map(({ id }) => ({ given: id, reason: null }))
  const body = { kind: 'list', name: null, rows }
  const made = await (await callApi(context, `${url}/api/desk/bulk`, { method: 'POST', body })).json()
  const address = `${url}/api/desk/bulk/${made.id}`
  const { count, digest, sums } = await poll(context, address, 'ready')
  const confirmed = { count, digest, sums, reason: 'Ordered twice' }
  const started = await callApi(context, `${address}/start`, { method: 'POST', body: confirmed })
  expect(started.status()).toBe(202)
  await poll(context, address, 'finished')
  expect(await countDeletes(group, payments)).toEqual(payments.map(() => 1))
}

async function importCustomers(group: DeskGroup, context: APIRequestContext) {
  const { url } = group
  const names = Array.from({ length: 40 }, (_, index) => `Group customer ${index}`)
  const body = { fileName: 'customers.csv', text: `name\n${names.join('\n')}\n`, mapping: { name: 0 } }
  const made = await callApi(context, `${url}/api/desk/imports`, { method: 'POST', body })
  expect(made.status()).toBe(202)
  const { importId } = await made.json()
  await poll(context, `${url}/api/desk/imports/${importId}`, 'done')
  const writes = await readWrites(group.service.dataDir)
  const created = writes.filter(
    ({ method, path, status }) => method === 'POST' && path === '/Customers' && status < 300,
  )
  expect(created).toHaveLength(names.length)
}

async function exportPayments({ url }: DeskGroup, context: APIRequestContext) {
  const query = { list: 'listPayments', asked: null, rest: null, order: null, filters: {}, zone: 'UTC' }
  const body = { ...query, columns: ['reference', 'amount'] }
  const made = await callApi(context, `${url}/api/desk/exports`, { method: 'POST', body })
  expect(made.status()).toBe(202)
  const { exportId } = await made.json()
  await poll(context, `${url}/api/desk/exports/${exportId}`, 'complete')
  const file = await callApi(context, `${url}/api/desk/exports/${exportId}/file`)
  expect((await file.text()).trim().split('\n')).toHaveLength(2_001)
}

/** Limits that are one for all desks: exports in an hour, and wrong passwords. */
async function exceedLimits(group: DeskGroup, context: APIRequestContext) {
  const { url, admin } = group
  const statuses: number[] = []
  for (let count = 0; count < 62; count += 1) {
    const reply = await callApi(context, `${url}/api/desk/activity/export`)
    await reply.body()
    statuses.push(reply.status())
  }
  // One export and its file were counted before.
  expect(statuses.filter((status) => status === 200)).toHaveLength(58)
  expect(statuses.at(-1)).toBe(429)
  const viewer = await group.addMember(context, 'viewer')
  const attempts: string[] = []
  for (let count = 0; count < 11; count += 1)
    attempts.push(
      await group.signIn({ ...viewer, password: 'wrong' }).then(
        () => 'in',
        () => 'refused',
      ),
    )
  expect(attempts).not.toContain('in')
  // The right one is refused now, whichever desk is asked, and others sign in.
  for (let count = 0; count < 2 * group.ports.length; count += 1) await expect(group.signIn(viewer)).rejects.toThrow()
  await (await group.signIn(admin)).dispose()
}

for (const count of [2, 4]) {
  test.describe(`${count} desks`, () => {
    test.use({ count })

    test(
      `of ${count} desks any answers anybody: lists, cancellations, bulks, imports, exports, changes, limits`,
      long,
      async ({ group }) => {
        test.setTimeout(600_000)
        const { url } = group
        const context = await group.signIn()
        for (let each = 0; each < 10 * count; each += 1)
          expect((await callApi(context, `${url}/api/service/Payments?limit=100`)).status()).toBe(200)
        const counts = await group.countRequests()
        expect(Math.min(...counts)).toBeGreaterThan(5)
        const streams = await Promise.all(Array.from({ length: 2 * count }, () => openEvents(context, url)))
        const payments = await readPayments(context, url, pending)
        expect(payments).toHaveLength(100)
        await cancelSome(group, context, payments.slice(0, 12))
        const [first] = payments
        for (const { told } of streams) await expect.poll(told, { timeout: 20_000 }).toContain(first?.id)
        for (const { close } of streams) close()
        await cancelInBulk(group, context, payments.slice(12, 72))
        await importCustomers(group, context)
        await exportPayments(group, context)
        await exceedLimits(group, context)
        // Who is signed out at one is signed out at all.
        const { csrfToken } = await (await context.get(`${url}/api/auth/csrf`)).json()
        const copy = await context.storageState()
        await context.post(`${url}/api/auth/signout`, { form: { csrfToken, json: 'true' } })
        const cookie = copy.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
        for (const port of group.ports) {
          const headers = { cookie, 'x-debitdesk': '1' }
          expect((await fetch(`http://127.0.0.1:${port}/api/service/Payments`, { headers })).status).toBe(401)
        }
        await context.dispose()
      },
    )

    test(
      `${count} desks restarted one after the other under load: no reader notices, nothing is lost or doubled`,
      long,
      async ({ group }) => {
        test.setTimeout(600_000)
        const { url } = group
        const context = await group.signIn()
        const payments = await readPayments(context, url, pending)
        const over = new AbortController()
        const failures: string[] = []
        let reads = 0
        const paths = [
          '/payments',
          '/api/service/Payments?limit=50',
          '/api/desk/overview',
          '/customers',
          '/api/desk/bulk',
        ]
        const readAll = async (reader: number) => {
          for (let turn = reader; !over.signal.aborted; turn += 1) {
            const path = paths[turn % paths.length] ?? '/'
            const failure = await callApi(context, `${url}${path}`).then(
              (reply) => (reply.status() === 200 ? null : String(reply.status())),
              (error: unknown) => String(error),
            )
            reads += 1
            if (failure !== null) failures.push(`${path}: ${failure}`)
          }
        }
        const asked: ListedPayment[] = []
        let troubled = 0
        // As a page does: the same key until there is a reply.
        const cancel = async (payment: ListedPayment): Promise<number> => {
          const key = randomUUID()
          for (;;) {
            const reply = await requestCancellation(context, url, payment, key).catch(() => null)
            if (reply && reply.status() < 500) return reply.status()
            troubled += 1
            await wait(300)
          }
        }
        const cancelAll = async () => {
          for (const payment of payments) {
            if (over.signal.aborted) return
            // A payment may have been collected meanwhile.
            if ((await cancel(payment)) < 300) asked.push(payment)
            await wait(400)
          }
        }
        const load = [...Array.from({ length: 6 }, (_, reader) => readAll(reader)), cancelAll()]
        await wait(3_000)
        for (const [index, port] of group.ports.entries()) {
          const stopped = group.stop(index)
          // Not ready first, and still answering.
          const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status)
          await expect.poll(() => ask('/api/ready'), { timeout: 4_000, intervals: [50] }).toBe(503)
          expect(await ask('/api/health')).toBe(200)
          expect(await stopped).toBe(0)
          await wait(1_000)
          await group.start(index)
          await wait(1_000)
        }
        over.abort()
        await Promise.all(load)
        expect(failures).toEqual([])
        expect(reads).toBeGreaterThan(50)
        expect(asked.length).toBeGreaterThan(10)
        for (const { id } of asked)
          await expect.poll(() => readOutcome(context, url, id), { timeout: 120_000 }).toBe('cancelled')
        expect(await countDeletes(group, asked)).toEqual(asked.map(() => 1))
        test.info().annotations.push({
          type: 'load',
          description: `${reads} reads, ${asked.length} cancellations, ${troubled} asked again`,
        })
        console.log(`${count} desks restarted: ${reads} reads, ${asked.length} cancellations, ${troubled} asked again`)
        await context.dispose()
      },
    )
  })
}
