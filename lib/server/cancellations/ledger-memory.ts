import { randomUUID } from 'node:crypto'
import { limitConcurrency } from '../limit-concurrency'

/** How many interrupted or unknown cancellations are sent at once; those that people ask for now do not wait here. */
const sendsAtOnce = 4

/** What one process remembers of a connection's ledger; lost at its end without harm. */
export type LedgerMemory = {
  /** Names this process in leases. */
  holder: string
  /** Submissions being carried out, by the browser's key: a double click waits for its first. */
  inFlight: Map<string, Promise<unknown>>
  /** No list is read for the ledger before this moment, in milliseconds of its clock. */
  nextReadAt: number
  /** How many cancellations are being read by a filter. */
  reading: number
  /** How many intents are being taken up again. */
  resuming: number
  /** Through here goes what the worker sends. */
  sendGate: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** The shared walk of the list while it is under way. */
  walk: Promise<void> | null
  /** No walk begins before this moment, in milliseconds of the ledger's clock. */
  nextWalkAt: number
  /** The worker is to end: a walk goes no further. */
  isStopping: boolean
  /** Cancellations whose payment a filter by its id did not bring: only a walk can tell. */
  toWalk: Set<string>
  /** Makes the worker look at once; set by the worker. */
  wake: () => void
}

export function makeLedgerMemory(): LedgerMemory {
  return {
    holder: randomUUID(),
    inFlight: new Map(),
    nextReadAt: 0,
    reading: 0,
    resuming: 0,
    sendGate: limitConcurrency(sendsAtOnce, Number.POSITIVE_INFINITY),
    walk: null,
    nextWalkAt: 0,
    isStopping: false,
    toWalk: new Set(),
    wake: () => undefined,
  }
}
