import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { randomBytes } from 'node:crypto'
import { expect } from '../support/journey'
import { testOwnDesk } from '../support/own-desk'
import { signIn } from '../support/session'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type SentSpan = { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes: Attribute[] }
type Sent = { resourceSpans: { scopeSpans: { scope: { name: string }; spans: SentSpan[] }[] }[] }

/** What a collector received, by OTLP over HTTP. */
const bodies: string[] = []
const authorizations = new Set<string | undefined>()

const collector = createServer((request, response) => {
  authorizations.add(request.headers.authorization)
  void text(request).then((body) => {
    if (request.url === '/v1/traces' && request.method === 'POST') bodies.push(body)
    response.setHeader('content-type', 'application/json').end('{"partialSuccess":{}}')
  })
})

const test = testOwnDesk(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  }
})

test.afterAll(() => void collector.close())

const readSpans = () =>
  bodies.flatMap((body) =>
    (JSON.parse(body) as Sent).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )

test('a request is followed to the upstream call and the statement, and says nothing of anybody', async ({
  page,
  desk,
  context,
}) => {
  await signIn(page, desk.signIn('support'))
  // As a load balancer that traces sends it, besides a word that must not be told.
  const traceId = randomBytes(16).toString('hex')
  await context.setExtraHTTPHeaders({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
  await page.goto('/payments?search=Lindqvist')
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()

  const ofTrace = () => readSpans().filter((span) => span.traceId === traceId)
  await expect.poll(() => ofTrace().map(({ name }) => name)).toContain('GET /payments')
  const request = ofTrace().find(({ name }) => name === 'GET /payments')
  expect(request?.parentSpanId).toBe('00f067aa0ba902b7')
  await expect.poll(() => ofTrace().map(({ name }) => name)).toContain('listPayments')
  const below = ofTrace().filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(below.map(({ name }) => name)).toContain('listPayments')
  // What it reads from the store is cached until the next write: the sign-in's own statements were not.
  const signingIn = readSpans().find(({ name }) => name === 'POST /api/auth/[...nextauth]')
  const statements = readSpans().filter(({ parentSpanId }) => parentSpanId === signingIn?.spanId)
  const insert = statements.find(({ name }) => name === 'INSERT sessions')
  expect(insert?.attributes.find(({ key }) => key === 'db.query.text')?.value.stringValue).toContain('$1')

  expect([...authorizations]).toEqual(['Bearer of-the-collector'])
  const all = bodies.join('\n')
  const { email, password } = desk.signIn('support')
  for (const secret of ['Lindqvist', email, password, 'search=']) expect(all).not.toContain(secret)
  expect(
    new Set(
      bodies.flatMap((body) =>
        (JSON.parse(body) as Sent).resourceSpans.flatMap((one) => one.scopeSpans.map(({ scope }) => scope.name)),
      ),
    ),
  ).toEqual(new Set(['debitdesk']))
})
