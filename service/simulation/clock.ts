/**
 * Where the service gets the time from: every moment it writes and every step it takes by itself. It runs
 * as the real time, faster, or stands until it is moved by hand; it never runs backwards.
 */
export type Clock = {
  now: () => Date
  /** Real milliseconds until the clock reads `moment`; Infinity while it stands. */
  realTimeUntil: (moment: Date) => number
  /** Moves the clock forward by milliseconds and tells whoever waits on it. */
  advance: (milliseconds: number) => void
  onMove: (listener: () => void) => void
}

/** Makes a clock that starts at `start` (now) and runs at `speed`: 1 is real time, 60 a minute a second, 0 stands still. */
export function makeClock({ start = new Date(), speed = 1 }: { start?: Date; speed?: number } = {}): Clock {
  const realStart = Date.now()
  const listeners: (() => void)[] = []
  let moved = 0
  const read = () => start.getTime() + moved + (Date.now() - realStart) * speed
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
