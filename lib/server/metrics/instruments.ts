import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AppError } from '../runtime/app-error'

/*
 * The names and labels of the metrics (decision 0143). A label has one of a few values that the code knows: never a
 * person, a merchant, an id or anything that a client chooses.
 */

/** From a reply of our own memory to a deadline upstream. */
const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/** States of the circuit breakers: see CircuitBreaker. */
export const breakerStates = ['closed', 'open', 'probing'] as const
export type BreakerState = (typeof breakerStates)[number]

export type SignInOutcome = 'accepted' | 'refused' | 'locked-out'
export type StoreOperation = 'read' | 'heartbeat' | 'ledger-commit'

function createInstruments() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    /** Lengths of this process's queues, read when a scrape asks. */
    queues: new Map<string, () => number>(),
    requests: new Counter({
      name: 'debitdesk_http_requests_total',
      help: 'Requests by method, route template and status; the status is "aborted" if the client left first.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestDuration: new Histogram({
      name: 'debitdesk_http_request_duration_seconds',
      help: 'Time from a request to the end of its reply, without event streams.',
      labelNames: ['route'],
      buckets: DURATION_BUCKETS_S,
      registers,
    }),
    problems: new Counter({
      name: 'debitdesk_problems_total',
      help: 'Refusals and failures by the code of the problem record.',
      labelNames: ['code'],
      registers,
    }),
    signIns: new Counter({
      name: 'debitdesk_sign_ins_total',
      help: 'Attempts to sign in by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    upstreamRequests: new Counter({
      name: 'debitdesk_upstream_requests_total',
      help: 'Calls of the upstream API by endpoint and outcome: the class of the status, 429, or the code of the failure.',
      labelNames: ['endpoint', 'outcome'],
      registers,
    }),
    upstreamDuration: new Histogram({
      name: 'debitdesk_upstream_request_duration_seconds',
      help: 'Time of calls of the upstream API, with their wait for a slot and one retry.',
      labelNames: ['endpoint'],
      buckets: DURATION_BUCKETS_S,
      registers,
    }),
    upstreamRetries: new Counter({
      name: 'debitdesk_upstream_retries_total',
      help: 'Retries that the budget allowed or refused.',
      labelNames: ['outcome'],
      registers,
    }),
    transitions: new Counter({
      name: 'debitdesk_cancellation_transitions_total',
      help: 'Changes of state of cancellations by this process.',
      labelNames: ['state'],
      registers,
    }),
    storeDuration: new Histogram({
      name: 'debitdesk_store_duration_seconds',
      help: "Time of the store's work: the scrape's read, the heartbeat's and the ledger's transactions.",
      labelNames: ['operation'],
      buckets: DURATION_BUCKETS_S,
      registers,
    }),
    breakers: new Gauge({
      name: 'debitdesk_upstream_breakers',
      help: "Upstream services by their circuit breaker's state.",
      labelNames: ['state'],
      registers,
    }),
    retryBudget: new Gauge({
      name: 'debitdesk_upstream_retry_budget',
      help: 'Retries left for the service with the fewest; absent before the first call.',
      registers,
    }),
    queueLength: new Gauge({
      name: 'debitdesk_queue_length',
      help: 'Entries that wait, by queue.',
      labelNames: ['queue'],
      registers,
    }),
    cancellations: new Gauge({
      name: 'debitdesk_cancellations',
      help: 'Open cancellations, and those that need a person, by state.',
      labelNames: ['state'],
      registers,
    }),
    oldestCancellation: new Gauge({
      name: 'debitdesk_cancellations_oldest_seconds',
      help: 'Age of the oldest of them by state; 0 without one.',
      labelNames: ['state'],
      registers,
    }),
    bulks: new Gauge({
      name: 'debitdesk_bulks',
      help: 'Bulk cancellations that have not ended, by state.',
      labelNames: ['state'],
      registers,
    }),
    ready: new Gauge({
      name: 'debitdesk_ready',
      help: 'Whether /api/ready says that this process can work: the store takes writes, and its workers run.',
      registers,
    }),
    storeUp: new Gauge({
      name: 'debitdesk_store_up',
      help: 'Whether the store answered the latest read for a scrape: 1 or 0.',
      registers,
    }),
  }
}

declare global {
  /** Next loads this module once per graph; the metrics are one per process. */
  var debitdeskInstruments: ReturnType<typeof createInstruments> | undefined
}

export function getInstruments(): ReturnType<typeof createInstruments> {
  return (globalThis.debitdeskInstruments ??= createInstruments())
}

/** Counts a refusal or failure that a client is told of. */
export function countProblem({ code }: AppError): void {
  getInstruments().problems.inc({ code })
}

export function countSignIn(outcome: SignInOutcome): void {
  getInstruments().signIns.inc({ outcome })
}

/** Runs work on the store and observes its time, also if it fails. */
export async function timeStore<Result>(operation: StoreOperation, work: () => Promise<Result>): Promise<Result> {
  const end = getInstruments().storeDuration.startTimer({ operation })
  try {
    return await work()
  } finally {
    end()
  }
}
