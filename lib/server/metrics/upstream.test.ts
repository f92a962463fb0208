import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { log } from '../runtime/log'
import { parseSettings } from '../runtime/settings'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { callUpstream } from '../upstream/call-upstream'
import { type Connection, makeConnection } from '../upstream/connection'
import { renderMetrics } from './scrape'

let script: Script
let service: FaultService
let connection: Connection

beforeAll(async () => {
  log.level = 'silent'
  service = await startFaultService(() => script)
  connection = makeConnection(parseSettings({ UPSTREAM_URL: service.url, UPSTREAM_AUTH: 'none' }))
})
beforeEach(() => {
  globalThis.debitdeskInstruments = undefined
  globalThis.debitdeskUpstreamStates = undefined
})
afterAll(() => service.close())

const call = () => callUpstream(connection, endpoints.listCustomers).catch(() => undefined)
const json = { 'content-type': 'application/json' }

it.each<[string, Script, string]>([
  ['a reply', { headers: json, body: '{"results":[],"hasMore":false}' }, '2xx'],
  ['a refusal', { status: 404, headers: json, body: '{}' }, '4xx'],
  ['a credential that is refused', { status: 401, headers: json, body: '{}' }, 'upstream-credential'],
  ['a request to slow down', { status: 429, headers: json, body: '{}' }, '429'],
  ['a failure', { status: 503, headers: json, body: '{}' }, '5xx'],
  ['a broken connection', { resetBefore: true }, 'upstream-unreachable'],
])('counts %s by endpoint and outcome', async (_, given, outcome) => {
  script = given
  await call()
  const text = await renderMetrics()
  expect(text).toContain(`debitdesk_upstream_requests_total{endpoint="listCustomers",outcome="${outcome}"} 1`)
  expect(text).toContain('debitdesk_upstream_request_duration_seconds_count{endpoint="listCustomers"} 1')
  expect(text).not.toContain(new URL(service.url).host)
})

it.each([
  ['a server that refuses connections', { UPSTREAM_AUTH: 'none' }, 'upstream-unreachable'],
  [
    'a token server that refuses connections',
    {
      UPSTREAM_AUTH: 'client-credentials',
      UPSTREAM_TOKEN_URL: 'http://127.0.0.1:9/token',
      UPSTREAM_CLIENT_ID: 'desk',
      UPSTREAM_CLIENT_SECRET: 'secret',
    },
    'upstream-unreachable',
  ],
])('counts %s as a failure, although nothing was sent', async (_, settings, outcome) => {
  const unreachable = makeConnection(parseSettings({ UPSTREAM_URL: 'http://127.0.0.1:9', ...settings }))
  await callUpstream(unreachable, endpoints.listCustomers).catch(() => undefined)
  expect(await renderMetrics()).toContain(`{endpoint="listCustomers",outcome="${outcome}"} 1`)
})

it('counts a call that was given up before it began as not sent', async () => {
  await callUpstream(connection, endpoints.listCustomers, { signal: AbortSignal.abort() }).catch(() => undefined)
  expect(await renderMetrics()).toContain('outcome="not-sent"} 1')
})

it('shows an open circuit breaker, the calls that it kept back and what the retries cost', async () => {
  script = { resetBefore: true }
  for (let count = 0; count < 10; count += 1) await call()
  const text = await renderMetrics()
  expect(text).toContain('debitdesk_upstream_breakers{state="open"} 1')
  expect(text).toContain('debitdesk_upstream_breakers{state="closed"} 0')
  expect(text).toContain('outcome="not-sent"')
  expect(text).toMatch(/^debitdesk_upstream_retries_total\{outcome="allowed"\} [1-5]$/mu)
  expect(Number(/^debitdesk_upstream_retry_budget (.+)$/mu.exec(text)?.[1])).toBeLessThan(5)
})
