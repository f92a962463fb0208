import { Breaker } from './breaker'
import type { Connection } from './connection'
import { limitConcurrency } from './limit-concurrency'
import { RetryBudget } from './retry-budget'

/** What a process knows of the way to one service. */
export type Wire = { breaker: Breaker; budget: RetryBudget; gate: ReturnType<typeof limitConcurrency> }

declare global {
  /** By connection and address; on globalThis because Next loads this module once per graph. */
  var debitdeskWires: Map<string, Wire> | undefined
}

/** At most so many requests are under way to one service, and so many wait for their turn. */
const most = 128
const waiting = 512

/** The wire of a connection: one per process. */
export function getWire({ connectionId, baseUrl }: Pick<Connection, 'connectionId' | 'baseUrl'>): Wire {
  const wires = (globalThis.debitdeskWires ??= new Map())
  const key = `${connectionId} ${baseUrl.origin}`
  const known = wires.get(key)
  if (known) return known
  const wire = { breaker: new Breaker(), budget: new RetryBudget(), gate: limitConcurrency(most, waiting) }
  wires.set(key, wire)
  return wire
}
