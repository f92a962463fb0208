/**
 * Two readings of time, and waiting. `now` only ever goes forward while the process lives, whatever is done
 * to the host's clock: every deadline is measured by it. `wall` is what is written down for people.
 */
export type LedgerClock = { now: () => Date; wall: () => Date }

export const ledgerClock: LedgerClock = {
  now: () => new Date(performance.timeOrigin + performance.now()),
  wall: () => new Date(),
}

/** The moment so many milliseconds after another. */
export function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds)
}

/** Milliseconds from one moment to another; endless when the first never was. */
export function elapsed(from: Date | null, to: Date): number {
  return from === null ? Number.POSITIVE_INFINITY : to.getTime() - from.getTime()
}
