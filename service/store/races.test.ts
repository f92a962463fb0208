import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { at, items, type Reply, startTestService, type TestService } from '../testing/test-service'

/*
 * Concurrent transactions on Postgres. The test's own connection makes the uncommitted changes of the other transaction.
 */

let postgres: TestPostgres
let service: TestService
let other: pg.Client

beforeAll(async () => {
  postgres = await startPostgres()
  service = await startTestService({
    databaseUrl: postgres.url,
    seedPayments: 60,
    controlPort: 0,
    allowedCallbacks: Array.from({ length: 60 }, (_, index) => `127.0.0.1:${20_000 + index}`),
  })
})
afterAll(async () => {
  await service.close()
  await postgres.stop()
})
beforeEach(async () => {
  other = new pg.Client({ connectionString: postgres.url })
  await other.connect()
})
afterEach(() => other.end())

async function query(statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return (await other.query<Record<string, unknown>>(statement, values)).rows
}

/** Sends a request while the other transaction is open, and commits that once the request waits for it. */
async function meanwhile(send: () => Promise<Reply>): Promise<Reply> {
  const reply = send()
  const waiting = () =>
    query("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
  for (let tries = 0; tries < 100 && (await waiting()).length === 0; tries += 1) await pause(50)
  await other.query('commit')
  return reply
}

/** Creates a payment like the monthly data source, up to its commit. */
async function bring(mandateId: unknown): Promise<void> {
  await other.query('begin')
  await query('select 1 from mandates where id = $1 for update', [mandateId])
  await query(
    `insert into payments select (jsonb_populate_record(p, jsonb_build_object(
      'id', gen_random_uuid(), 'handle', 'pm_' || gen_random_uuid(), 'status', 'Pending', 'next_at', '2999-01-01'))).*
     from payments p where mandate_id = $1 limit 1`,
    [mandateId],
  )
  await query('update mandates set bill_at = now() + interval $$30 days$$ where id = $1', [mandateId])
}

/** A customer whose payments have all ended. */
async function findSettled(): Promise<{ customer: unknown; mandate: unknown }> {
  const [found] = await query(
    `select customer_id as customer, min(mandate_id::text)::uuid as mandate from payments
     group by 1 having bool_and(status not in ('Pending', 'Scheduled')) limit 1`,
  )
  return { customer: found?.customer, mandate: found?.mandate }
}

const problem = ({ status, json }: Reply) => [status, String(at(json, 'type')).split('/').pop()]

test('a customer for whom a payment is being brought is not deleted', async () => {
  const { customer, mandate } = await findSettled()
  await bring(mandate)
  expect(problem(await meanwhile(() => service.call('DELETE', `/Customers/${String(customer)}`)))).toEqual([
    409,
    'open-payments',
  ])
})

test('nor is an agreement', async () => {
  const created = await service.call('POST', '/Merchants/agreements', { body: { scheme: 'nets-bs' } })
  const agreement = String(at(created.json, 'id'))
  const { mandate } = await findSettled()
  await query('update mandates set agreement_id = $1 where id = $2', [agreement, mandate])
  await bring(mandate)
  expect(problem(await meanwhile(() => service.call('DELETE', `/Merchants/agreements/${agreement}`)))).toEqual([
    409,
    'open-payments',
  ])
})

test('a customer whose number changes while another changes its name is found by both', async () => {
  const created = await service.call('POST', '/Customers', { body: { name: 'Before' } })
  const id = String(at(created.json, 'id'))
  await other.query('begin')
  await query("update customers set name = 'Afterwards', name_search = 'afterwards' where id = $1", [id])
  const reply = await meanwhile(() => service.call('PUT', `/Customers/${id}`, { body: { number: 'K-77' } }))
  expect(reply.json).toMatchObject({ name: 'Afterwards', number: 'K-77' })
  const filter = encodeURIComponent("contains(name,'afterw') and contains(number,'k-77')")
  const found = await service.call('GET', `/Customers?filter=${filter}`)
  expect(items(found.json)).toMatchObject([{ id }])
})

test('sixty subscriptions at once are fifty', async () => {
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      service.call('POST', '/Merchants/webhooks/subscribe', {
        body: { webhookUrl: `http://127.0.0.1:${20_000 + index}/hooks` },
      }),
    ),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(50)
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(10)
  await query('delete from webhooks')
})

test('a subscription that ends while something happens keeps it from nothing, and hears nothing of it', async () => {
  const webhookUrl = 'http://127.0.0.1:20000/hooks'
  await service.call('POST', '/Merchants/webhooks/subscribe', { body: { webhookUrl } })
  const filter = encodeURIComponent("status eq 'Pending'")
  const { json } = await service.call('GET', `/Payments?limit=1&orderby=scheduleDate%20desc&filter=${filter}`)
  const id = String(at(items(json)[0], 'id'))
  await other.query('begin')
  await query('delete from webhooks')
  const reply = await meanwhile(async () => {
    const sent = await fetch(`${service.controlUrl}/payments/${id}/state`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'Rejected' }),
    })
    return { status: sent.status, headers: sent.headers, text: await sent.text(), json: null }
  })
  expect([reply.status, reply.text]).toEqual([204, ''])
  expect(await query("select event_type from events where data->>'id' = $1", [id])).toEqual([
    { event_type: 'rejected' },
  ])
  expect(await query('select 1 from deliveries')).toEqual([])
})
