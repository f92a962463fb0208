import { AppError } from './app-error'
import * as m from '@/lib/messages/m'

/** How long a task waits for its slot. */
export type Patience = {
  /** Milliseconds. */
  deadline: number
  signal?: AbortSignal | undefined
  /** The error when the time is over or the signal aborts first. */
  giveUp: () => AppError
}

/** Runs a task in one of a limited number of slots. */
type Gatekeeper = (<Result>(task: () => Promise<Result>, patience?: Patience) => Promise<Result>) & {
  countWaiting: () => number
}

/** Waits in a queue until the function that this adds to it is called. */
function waitForTurn(queue: (() => void)[], patience: Patience | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (patience?.signal?.aborted) return reject(patience.giveUp())
    const end = () => {
      clearTimeout(timer)
      patience?.signal?.removeEventListener('abort', leave)
    }
    const start = () => {
      end()
      resolve()
    }
    const leave = () => {
      end()
      queue.splice(queue.indexOf(start), 1)
      reject(patience?.giveUp())
    }
    const timer = patience && setTimeout(leave, patience.deadline)
    patience?.signal?.addEventListener('abort', leave, { once: true })
    queue.push(start)
  })
}

/**
 * Returns a function that runs at most `maxRunning` tasks at once and queues at most `maxWaiting` in order of arrival;
 * beyond that it throws AppError 'too-many-attempts' with `detail`, without starting the task (evidence.written false).
 * With `patience` a task that waits too long leaves the queue, not started.
 */
export function limitConcurrency(maxRunning: number, maxWaiting: number, detail?: string): Gatekeeper {
  let running = 0
  const queue: (() => void)[] = []
  const run = async <Result>(task: () => Promise<Result>, patience?: Patience): Promise<Result> => {
    if (running < maxRunning) {
      running += 1
    } else {
      if (queue.length >= maxWaiting)
        throw new AppError('too-many-attempts', {
          retryAfter: 5,
          written: false,
          ...(detail !== undefined && { detail }),
        })
      // A finishing task passes its slot on, so `running` stays the same.
      await waitForTurn(queue, patience)
    }
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
  return Object.assign(run, { countWaiting: () => queue.length })
}

const MINUTE_MS = 60_000

declare global {
  /** The times of recent requests per kind, in milliseconds; one per process. */
  var debitdeskRates: Map<string, number[]> | undefined
}

export type Rate = {
  most: number
  windowMs: number
  /** The text of the refusal, given the seconds until there is room. */
  explain?: (retryAfter: number) => string
}

/**
 * Allows one more beside the `recent` ones (timestamps in milliseconds) and returns all that count from now on. Throws
 * AppError 'too-many-attempts' with the time until there is room.
 */
export function limitRate(recent: readonly number[], { most, windowMs, explain }: Rate, now: number): number[] {
  const counted = recent.filter((at) => at > now - windowMs)
  if (counted.length >= most) {
    const retryAfter = Math.ceil(((counted[0] ?? now) + windowMs - now) / 1_000)
    throw new AppError('too-many-attempts', { retryAfter, ...(explain && { detail: explain(retryAfter) }) })
  }
  return [...counted, now]
}

/** Allows at most `most` of `kind` a minute. Throws as limitRate does. */
export function limitPerMinute(
  kind: string,
  { most, explain }: Pick<Rate, 'most' | 'explain'>,
  now = Date.now(),
): void {
  const rates = (globalThis.debitdeskRates ??= new Map<string, number[]>())
  rates.set(kind, limitRate(rates.get(kind) ?? [], { most, windowMs: MINUTE_MS, ...(explain && { explain }) }, now))
}

/** Concurrent and queued upstream reads per person: more than one of our pages needs. */
const MAX_RUNNING = 8
const MAX_WAITING = 32

type Gate = { run: ReturnType<typeof limitConcurrency>; count: number }

declare global {
  /** By user, while they read; on globalThis because Next loads this module once per graph. */
  var debitdeskReads: Map<string, Gate> | undefined
}

/**
 * Runs an upstream read for a person, at most eight at a time over all merchants, pages and routes, so that nobody can
 * take the desk and the service from others. Throws AppError 'too-many-attempts' when the queue is full, and as `patience`
 * says.
 */
export async function limitReads<Result>(
  userId: string,
  read: () => Promise<Result>,
  patience: Patience,
): Promise<Result> {
  const gates = (globalThis.debitdeskReads ??= new Map())
  const gate = gates.get(userId) ?? {
    run: limitConcurrency(MAX_RUNNING, MAX_WAITING, m.refusals_tooMuchIsLoading()),
    count: 0,
  }
  gates.set(userId, gate)
  gate.count += 1
  try {
    return await gate.run(read, patience)
  } finally {
    gate.count -= 1
    if (gate.count === 0) gates.delete(userId)
  }
}
