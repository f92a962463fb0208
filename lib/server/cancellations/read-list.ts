import { setTimeout as wait } from 'node:timers/promises'
import { listPayments, type Payment } from '@/lib/contract/payments'
import type { ListQuery, Page } from '@/lib/contract/page'
import { Failure } from '../failure'
import type { Ledger } from './ledger'
import { after } from './ledger-clock'
import { readRetryDelay } from '../retry-after'

/** One page of the payments, or why there is none: the status the service answered, or the failure's code. */
export type ListAnswer =
  | { kind: 'page'; page: Page<Payment> }
  | { kind: 'refused'; status: number; why: string }
  | { kind: 'failed'; why: string }

/** Neither our credential, nor our pace, nor a service in trouble: it says no to the question itself. */
export function isRefusal(answer: ListAnswer): boolean {
  if (answer.kind !== 'refused') return false
  const { status } = answer
  return status >= 400 && status < 500 && ![401, 403, 407, 408, 425, 429].includes(status)
}

/** How patient a read is: `paced` waits for its turn among the ledger's own reads; `until` is when it must be done. */
export type ReadPace = { paced: boolean; until: Date }

const readDeadline = 10_000
const mostTries = 5

/** Waits for the ledger's turn at the service; false when that would be too late. */
async function takeTurn({ clock, memory, rules }: Ledger, { paced, until }: ReadPace): Promise<boolean> {
  const now = clock.now().getTime()
  if (!paced) return now < until.getTime()
  const pause = memory.takeTurn({ now, until: until.getTime(), spacing: rules.listEvery })
  if (pause === null) return false
  if (pause > 0) await wait(pause)
  return true
}

/**
 * Reads one page of the payments for the ledger; never throws. A 429 makes every paced read of this
 * connection wait as long as the service asks.
 */
export async function readList(ledger: Ledger, query: ListQuery, pace: ReadPace): Promise<ListAnswer> {
  if (!(await takeTurn(ledger, pace))) return { kind: 'failed', why: 'out-of-time' }
  await ledger.step('during-read')
  const left = pace.until.getTime() - ledger.clock.now().getTime()
  try {
    const reply = await ledger.call(listPayments, { query, deadline: Math.max(1, Math.min(readDeadline, left)) })
    if (reply.status === 429) {
      const now = ledger.clock.now()
      const pause = readRetryDelay(reply.headers['retry-after'], ledger.clock.wall()) ?? ledger.rules.readEvery * 5
      ledger.memory.slowDown(now.getTime() + pause)
    }
    if (reply.status < 200 || reply.status >= 300)
      return { kind: 'refused', status: reply.status, why: `status-${reply.status}` }
    const read = listPayments.reply.safeParse(reply.json)
    return read.success ? { kind: 'page', page: read.data } : { kind: 'failed', why: 'upstream-bad-reply' }
  } catch (error) {
    return { kind: 'failed', why: error instanceof Failure ? error.code : 'internal' }
  }
}

/**
 * Reads one page of the payments for a list that is being made: what is asked to slow down waits for its turn, what
 * fails is tried again up to five times, unless the service says no to the question or to our credential.
 */
export async function readPatiently(ledger: Ledger, query: ListQuery): Promise<ListAnswer> {
  for (let tries = 1; ; tries += 1) {
    const until = after(ledger.clock.now(), 90_000)
    const answer = await readList(ledger, query, { paced: tries > 1, until })
    const isFinal = answer.kind === 'page' || isRefusal(answer)
    const isHopeless = answer.kind === 'refused' && [401, 403].includes(answer.status)
    if (isFinal || isHopeless || tries === mostTries) return answer
    await wait(Math.min(ledger.rules.readEvery * 2 ** (tries - 1), 8_000))
  }
}
