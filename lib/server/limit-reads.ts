import { tooMuchIsLoading } from '@/lib/words/refusals'
import { limitConcurrency } from './limit-concurrency'

/** Reads of the service that one person has under way at most, and that wait for their turn: more than a page of ours needs. */
const MAX_RUNNING = 8
const MAX_WAITING = 32

type Gate = { run: ReturnType<typeof limitConcurrency>; count: number }

declare global {
  /** By user, while they read; on globalThis because Next loads this module once per graph. */
  var debitdeskReads: Map<string, Gate> | undefined
}

/**
 * Runs a read of the service for a person, at most eight at a time whichever merchant, page or route they are for: one
 * person must not take the desk and the service from all others. Throws Failure 'too-many-attempts' when the line is full.
 */
export async function limitReads<Result>(userId: string, read: () => Promise<Result>): Promise<Result> {
  const gates = (globalThis.debitdeskReads ??= new Map())
  const gate = gates.get(userId) ?? { run: limitConcurrency(MAX_RUNNING, MAX_WAITING, tooMuchIsLoading), count: 0 }
  gates.set(userId, gate)
  gate.count += 1
  try {
    return await gate.run(read)
  } finally {
    gate.count -= 1
    if (gate.count === 0) gates.delete(userId)
  }
}
