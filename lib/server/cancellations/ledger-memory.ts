import { randomUUID } from 'node:crypto'

/** What one process remembers of a connection's ledger; lost at its end without harm. */
export type LedgerMemory = {
  /** Names this process in leases. */
  holder: string
  /** Submissions being carried out, by the browser's key: a double click waits for its first. */
  inFlight: Map<string, Promise<unknown>>
  /** Whether the service was seen to honour a filter by id. */
  idFilter: 'untried' | 'holds' | 'fails'
  /** No list is read for the ledger before this moment, in milliseconds of its clock. */
  nextReadAt: number
  /** Makes the worker look at once; set by the worker. */
  wake: () => void
}

export function makeLedgerMemory(): LedgerMemory {
  return { holder: randomUUID(), inFlight: new Map(), idFilter: 'untried', nextReadAt: 0, wake: () => undefined }
}
