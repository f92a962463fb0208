import { AppError } from './app-error'
import { tooMuchIsLoading } from '@/lib/words/refusals'

/**
 * Makes a gate that lets at most `most` tasks run at once and at most `waiting` stand in line, in their
 * order; beyond that it throws AppError 'too-many-attempts', with the `detail` that is given, without starting the task.
 */
export function limitConcurrency(
  most: number,
  waiting: number,
  detail?: string,
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const line: (() => void)[] = []
  return async (task) => {
    if (running < most) {
      running += 1
    } else {
      if (line.length >= waiting)
        throw new AppError('too-many-attempts', { retryAfter: 5, ...(detail !== undefined && { detail }) })
      // Whoever finishes hands over the place, so it is not counted twice.
      await new Promise<void>((resolve) => line.push(resolve))
    }
    try {
      return await task()
    } finally {
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }
}

const MINUTE_MS = 60_000

declare global {
  /** When each of the latest requests of a kind came, in milliseconds; one per process. */
  var debitdeskRates: Map<string, number[]> | undefined
}

type Rate = {
  most: number
  windowMs: number
  /** What the refusal says; it is given the seconds until there is room. */
  explain?: (retryAfter: number) => string
}

/**
 * Lets one more pass beside the `recent` ones, moments in milliseconds, and answers all that count from now on. Throws Failure
 * 'too-many-attempts', which says when there is room again.
 */
export function limitRate(recent: readonly number[], { most, windowMs, explain }: Rate, now: number): number[] {
  const counted = recent.filter((at) => at > now - windowMs)
  if (counted.length >= most) {
    const retryAfter = Math.ceil(((counted[0] ?? now) + windowMs - now) / 1_000)
    throw new AppError('too-many-attempts', { retryAfter, ...(explain && { detail: explain(retryAfter) }) })
  }
  return [...counted, now]
}

/** Lets pass at most `most` of `kind` a minute. Throws as limitRate does. */
export function limitPerMinute(kind: string, most: number, now = Date.now()): void {
  const rates = (globalThis.debitdeskRates ??= new Map<string, number[]>())
  rates.set(kind, limitRate(rates.get(kind) ?? [], { most, windowMs: MINUTE_MS }, now))
}

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
 * person must not take the desk and the service from all others. Throws AppError 'too-many-attempts' when the line is full.
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
