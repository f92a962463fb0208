import { readMonotonic, type StoreClock } from '@/lib/database/store-clock'

/**
 * The times that the ledger works with. `now` only ever goes forward while the process lives: pacing and deadlines that
 * never leave the process are measured by it. `wall` is what people are told, `host` what the
 * machine's own clock says, which may jump. Whatever is stored of leases, due times and
 * ages is the store's.
 */
export type LedgerClock = { now: () => Date; wall: () => Date; host: () => Date; store: StoreClock }

export function makeLedgerClock(store: StoreClock): LedgerClock {
  return { now: () => new Date(readMonotonic()), wall: store.wall, host: () => new Date(), store }
}

/** The moment so many milliseconds after another. */
export function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds)
}

/** Milliseconds from one moment to another; endless when the first never was. */
export function elapsed(from: Date | null, to: Date): number {
  return from === null ? Number.POSITIVE_INFINITY : to.getTime() - from.getTime()
}

/**
 * Milliseconds since now, by whichever clock has gone further: where a virtual machine was paused, the host's may have
 * been set right since.
 */
export function startStopwatch({ now, host }: Pick<LedgerClock, 'now' | 'host'>): () => number {
  const began = { now: now(), host: host() }
  return () => Math.max(elapsed(began.now, now()), elapsed(began.host, host()))
}
