/** Those who listen to something, and how they are told of it. */
export function createEmitter<Told = void>() {
  const listeners = new Set<(told: Told) => void>()
  return {
    /** Calls `listener` until the returned function is called. */
    listen: (listener: (told: Told) => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell: (told: Told): void => {
      for (const listener of listeners) listener(told)
    },
    count: (): number => listeners.size,
  }
}
