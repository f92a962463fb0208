type Guard = (go: () => void) => void

const guards = new Set<Guard>()

/** From now on `guard` decides whether code leads away from the page: it calls `go`, or not. Answers how to end that. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard)
  return () => {
    guards.delete(guard)
  }
}

/** Leads away from the page by `go`, once whoever guards what was typed there has agreed. */
export function leave(go: () => void): void {
  const guard = [...guards].at(-1)
  if (guard) guard(go)
  else go()
}
