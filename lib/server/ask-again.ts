import { setTimeout as wait } from 'node:timers/promises'
import type { RetryBudget } from './retry-budget'
import type { UpstreamReply } from './upstream'

type Options = {
  budget: RetryBudget
  /** Milliseconds for everything together. */
  deadline: number
  signal?: AbortSignal | undefined
  /** For tests: from 0 to 1. */
  random?: () => number
}

const most = 3
const second = 1_000

/**
 * Asks a read again that was answered 429 without a word on how long to wait: up to three times in all, after
 * at most 1 s and 2 s by chance, so that many who were refused together do not come back together, and within the
 * budget. Where the service says how long, nobody asks before: the 429 is passed on. Throws what `ask` throws.
 */
export async function askAgain(
  ask: (deadline: number) => Promise<UpstreamReply>,
  { budget, deadline, signal, random = Math.random }: Options,
): Promise<UpstreamReply> {
  const began = performance.now()
  for (let tries = 1; ; tries += 1) {
    const reply = await ask(Math.max(1, deadline - (performance.now() - began)))
    if (reply.status !== 429 || reply.headers['retry-after'] !== undefined || tries === most) return reply
    const pause = random() * second * 2 ** (tries - 1)
    if (performance.now() - began + pause > deadline || signal?.aborted || !budget.take()) return reply
    const isOver = await wait(pause, false, signal && { signal }).catch(() => true)
    if (isOver) return reply
  }
}
