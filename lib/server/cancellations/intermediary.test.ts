import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { desc } from 'drizzle-orm'
import { activity } from '../store/schema'
import { type FaultService, type RecordedRequest, type Script, startFaultService } from '../testing/fault-service'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import { makeTestLedger, readRow, settleLedger } from '../testing/test-ledger'
import { requestCancellation } from './request-cancellation'

let fixture: LedgerFixture
/** A proxy between the desk and the upstream API. */
let between: FaultService
let forward: (request: RecordedRequest) => Promise<Script>

beforeAll(async () => {
  fixture = await LedgerFixture.start()
  between = await startFaultService((request) => forward(request))
})

beforeEach(() => {
  fixture.reset()
  fixture.ledger = makeTestLedger(fixture.store, between.url)
})

afterAll(async () => {
  await between.close()
  await fixture.close()
})

async function pass({ method, path, headers, body }: RecordedRequest, drop: readonly string[] = []): Promise<Script> {
  const kept = ['content-type', 'idempotency-key'].filter((name) => !drop.includes(name))
  const picked = Object.fromEntries(kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])))
  const hasBody = method === 'DELETE' && !drop.includes('body')
  const reply = await fetch(`${fixture.service.url}${path}`, { method, headers: picked, ...(hasBody && { body }) })
  const type = reply.headers.get('content-type')
  return { status: reply.status, headers: type ? { 'content-type': type } : {}, body: await reply.text() }
}

test.each([
  ['with its key', []],
  ['without its key', ['idempotency-key']],
])('a DELETE that is doubled on the way %s is cancelled once, and said to be ours (CX-24)', async (_, drop) => {
  fixture.service.cancelDelay = 100
  forward = async (request) => {
    if (request.method === 'DELETE') await pass(request, drop)
    return pass(request, drop)
  }
  const payment = fixture.service.add()
  const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment))
  expect(['requested', 'unknown']).toContain(cancellation.outcome)
  expect(await settleLedger(fixture.ledger, cancellation.id)).toMatchObject({ state: 'cancelled', outcomeReason: null })
  expect(fixture.deletesOf(payment).map(({ effective }) => effective)).toEqual([true, false])
})

async function findWarnings(): Promise<unknown[]> {
  const rows = await fixture.store.db.select().from(activity).orderBy(desc(activity.sequence)).limit(6)
  return rows.flatMap(({ details }) => {
    const text = JSON.stringify(details)
    return text.includes('reason-not-delivered') ? [text] : []
  })
}

test('a reason that was dropped on the way, and a service that says so: a warning is kept in the log (CX-25)', async () => {
  const reports: string[] = []
  fixture.ledger = { ...fixture.ledger, report: (event) => void reports.push(event) }
  forward = async (request) => {
    const script = await pass(request, ['body'])
    if (request.method !== 'DELETE') return script
    return { status: 202, headers: { 'content-type': 'application/json' }, body: '{"text":""}' }
  }
  const payment = fixture.service.add()
  const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment))
  const row = await settleLedger(fixture.ledger, cancellation.id)
  expect(row).toMatchObject({ state: 'cancelled', evidence: { warning: 'reason-not-delivered' } })
  expect(fixture.deletesOf(payment)).toMatchObject([{ text: null, effective: true }])
  expect(reports).toContain('reason-not-delivered')
  expect(await findWarnings()).not.toEqual([])
})

test('a reason that is repeated as it was sent is no warning (CX-25)', async () => {
  forward = async (request) => {
    const script = await pass(request)
    if (request.method !== 'DELETE') return script
    return { status: 202, headers: { 'content-type': 'application/json' }, body: request.body }
  }
  const payment = fixture.service.add()
  const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment))
  expect((await readRow(fixture.ledger, cancellation.id)).evidence.warning).toBeUndefined()
  await settleLedger(fixture.ledger, cancellation.id)
})

test('a service that refuses a DELETE without its reason: not cancelled, in its words (CX-25)', async () => {
  forward = async (request) => {
    if (request.method !== 'DELETE') return pass(request)
    return { status: 400, headers: { 'content-type': 'application/json' }, body: '{"detail":"text is required"}' }
  }
  const payment = fixture.service.add()
  const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment))
  expect(await settleLedger(fixture.ledger, cancellation.id)).toMatchObject({
    state: 'not-cancelled',
    outcomeReason: 'service-declined',
    detail: 'text is required',
  })
})
