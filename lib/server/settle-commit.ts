import { setTimeout as wait } from 'node:timers/promises'
import { isCommitUnknown } from '@/lib/database/commit-unknown'
import { Failure } from './failure'

const pauses = [50, 500, 2_000]
/** No further attempt begins once so much time has passed since the answer was lost, in milliseconds. */
const window = 10_000

/**
 * Runs `attempt` again where the answer to its COMMIT was lost, at most three times within a few seconds; it must
 * recognise what an earlier run of its own has written. It writes again and doesn't only read, because a row that is
 * not there yet may still be committed: a second write under the same unique key waits for the first. A refusal of
 * ours counts as an answer of the store. Throws Failure 'outcome-unknown' with `detail` when there was none (0114).
 */
export async function settleCommit<Result>(attempt: () => Promise<Result>, detail: string): Promise<Result> {
  let lost: { error: unknown; at: number } | undefined
  for (const pause of [...pauses, null]) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof Failure && error.status < 500) throw error
      if (!lost && !isCommitUnknown(error)) throw error
      lost ??= { error, at: performance.now() }
      if (pause === null || performance.now() - lost.at > window) break
      await wait(pause)
    }
  }
  throw new Failure('outcome-unknown', { detail, retryAfter: 5 }, { cause: lost?.error })
}
