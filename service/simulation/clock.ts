import { readMonotonic } from '@/lib/database/clock'

/**
 * The source of time for timestamps and simulated steps. It runs in real time, faster, or stands still until moved by
 * hand; within a process it never runs backwards, whatever is done to the host's clock.
 */
export type Clock = {
  now: () => Date
  /** Real milliseconds until the clock reads `moment`; Infinity while it stands still. */
  realTimeUntil: (moment: Date) => number
  /** Moves the clock forward and notifies the listeners. */
  advance: (milliseconds: number) => void
  onMove: (listener: () => void) => void
}

/** Creates a clock. `speed` 1 is real time, 60 a minute per second, 0 stands still. */
export function makeClock({ start = new Date(), speed = 1 }: { start?: Date; speed?: number } = {}): Clock {
  const realStart = readMonotonic()
  const listeners: (() => void)[] = []
  let moved = 0
  const read = () => start.getTime() + moved + (readMonotonic() - realStart) * speed
  return {
    now: () => new Date(Math.floor(read())),
    realTimeUntil: (moment) => {
      const wait = moment.getTime() - read()
      return wait <= 0 ? 0 : speed === 0 ? Number.POSITIVE_INFINITY : wait / speed
    },
    advance: (milliseconds) => {
      moved += Math.max(0, milliseconds)
      for (const listener of listeners) listener()
    },
    onMove: (listener) => void listeners.push(listener),
  }
}
