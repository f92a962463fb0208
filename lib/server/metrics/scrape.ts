import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { collectDefaultMetrics } from 'prom-client'
import { breakerStates, getInstruments } from './instruments'
import { checkReadiness } from '../runtime/readiness'
import { readStoreGauges } from './store-gauges'

/** Where Prometheus scrapes; no page or route of Next's has this path. */
export const metricsPath = '/metrics'

export function isScrape({ url = '' }: IncomingMessage): boolean {
  return url === metricsPath || url.startsWith(`${metricsPath}?`)
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether a request carries the token; compared in constant time, whatever the lengths. */
export function hasToken({ method, headers }: IncomingMessage, token: string): boolean {
  const [, given] = /^Bearer +(\S+)$/iu.exec(headers.authorization ?? '') ?? []
  return method === 'GET' && given !== undefined && timingSafeEqual(digest(given), digest(token))
}

/** Begins to measure the process itself: event-loop lag, garbage collection, memory, processor time. */
export function measureProcess(): void {
  const { registry } = getInstruments()
  if (!registry.getSingleMetric('nodejs_eventloop_lag_seconds')) collectDefaultMetrics({ register: registry })
}

/** The upstream state and the queues of this process as they are now. */
function readProcessGauges(): void {
  const { breakers, retryBudget, queueLength, queues } = getInstruments()
  const services = [...(globalThis.debitdeskUpstreamStates?.values() ?? [])]
  for (const state of breakerStates)
    breakers.set({ state }, services.filter(({ breaker }) => breaker.state === state).length)
  if (services.length > 0) retryBudget.set(Math.min(...services.map(({ budget }) => budget.left)))
  queueLength.set(
    { queue: 'upstream' },
    services.reduce((sum, { gate }) => sum + gate.countWaiting(), 0),
  )
  for (const [queue, count] of queues) queueLength.set({ queue }, count())
}

/** All metrics in the text format of Prometheus. */
export async function renderMetrics(): Promise<string> {
  readProcessGauges()
  // Before the store is opened nothing is ready, and a scrape doesn't open it.
  const isReady = globalThis.debitdeskStore !== undefined && (await checkReadiness()) === null
  getInstruments().ready.set(isReady ? 1 : 0)
  await readStoreGauges()
  return getInstruments().registry.metrics()
}

/** Answers a scrape whose token was checked. */
export async function answerScrape(response: ServerResponse): Promise<void> {
  const text = await renderMetrics()
  response.setHeader('content-type', getInstruments().registry.contentType)
  response.setHeader('cache-control', 'no-store')
  response.end(text)
}
