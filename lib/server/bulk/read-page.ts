import { setTimeout as wait } from 'node:timers/promises'
import type { ListQuery, Page } from '@/lib/contract/page'
import type { Payment } from '@/lib/contract/payments'
import type { Ledger } from '../cancellations/ledger'
import { after } from '../cancellations/ledger-clock'
import { readList } from '../cancellations/read-list'

/** A page, or why there is none: `refused` names the service's 4xx to the question itself. */
export type PageAnswer = { kind: 'page'; page: Page<Payment> } | { kind: 'refused' } | { kind: 'failed'; why: string }

const tries = 5
const final = [400, 404, 405, 413, 414, 422]
const hopeless = [401, 403]

/**
 * Reads one page of the payments for a list that is being made: what is asked to slow down waits for its turn, what
 * fails is tried again up to five times, unless the service says that it does not take the question.
 */
export async function readPage(ledger: Ledger, query: ListQuery): Promise<PageAnswer> {
  let why = 'internal'
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const until = after(ledger.clock.now(), 90_000)
    const answer = await readList(ledger, query, { paced: attempt > 0, until })
    if (answer.kind === 'page') return answer
    if (answer.kind === 'refused' && final.includes(answer.status)) return { kind: 'refused' }
    why = answer.why
    if (answer.kind === 'refused' && hopeless.includes(answer.status)) break
    if (attempt < tries - 1) await wait(Math.min(ledger.rules.readEvery * 2 ** attempt, 8_000))
  }
  return { kind: 'failed', why }
}
