import { attend } from './attend'
import { changeState } from './change-state'
import type { Proofs } from '@/lib/contract/ability'
import { closeOverdue, closeStale } from './close-overdue'
import { mayFilter } from './filter-payments'
import type { CancellationRow, Ledger } from './ledger'
import { findDue, leaseDue } from './lease-due'
import { readDue } from './read-due'
import { mostTogether } from './read-payment'
import { resumeIntent } from './resume-intent'
import { readingStates } from './states'
import { walkList } from './walk-list'

const mostInterrupted = 500
const resumedAtOnce = 4
/** When what is due costs more requests than these, one walk of the list is shared by all. */
const mostRequests = 20
/** So many reads stand in line for their turn at the service. */
const readsAhead = 2
/** So many that only a walk can find are not named one by one any more. */
const mostNamed = 1_000

/** Whoever was sending is gone: what became of the request is not known. */
export async function giveUpSending(ledger: Ledger, row: CancellationRow): Promise<void> {
  await changeState(ledger, row, 'unknown', {
    dueAt: ledger.clock.store.sql(),
    evidence: { ...row.evidence, reply: undefined, failure: 'interrupted' },
  })
}

async function giveUpInterrupted(ledger: Ledger): Promise<number> {
  const rows = await leaseDue(ledger, ['sending'], { most: mostInterrupted })
  await Promise.all(rows.map((row) => attend(ledger, row, () => giveUpSending(ledger, row))))
  return rows.length
}

/** Intents that were interrupted before they were sent, or had to wait; those of a bulk wait for their turn there. */
async function resumeUnsent(ledger: Ledger): Promise<Promise<unknown>[]> {
  const { memory } = ledger
  const rows = await leaseDue(ledger, ['intended', 'waiting'], { most: memory.resumes.room(resumedAtOnce) })
  memory.resumes.begin(rows.length)
  return rows.map(async (row) => {
    await attend(ledger, row, () => resumeIntent(ledger, row))
    memory.resumes.end()
  })
}

/** How many payments one request reads. */
function countPerRead(proofs: Proofs): number {
  return mayFilter(proofs, mostTogether) ? mostTogether : 1
}

/** How many payments are read at once: one until a filter by an id has proven itself, none where it is known to fail. */
function countAtOnce(proofs: Proofs): number {
  if (!mayFilter(proofs, 1)) return 0
  if (proofs['eq:id'] === undefined) return 1
  const perRead = countPerRead(proofs)
  return perRead > 1 ? readsAhead * perRead : mostRequests
}

function divide<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )
}

async function beginReads(ledger: Ledger, proofs: Proofs): Promise<Promise<unknown>[]> {
  const { memory } = ledger
  const isCheap =
    memory.walkQueue.size <= mostNamed && memory.hasTurnBy(ledger.clock.now().getTime() + ledger.rules.readEvery)
  const rows = isCheap
    ? await leaseDue(ledger, readingStates, {
        most: memory.reads.room(countAtOnce(proofs)),
        except: [...memory.walkQueue],
      })
    : []
  return divide(rows, countPerRead(proofs)).map((part) => readDue(ledger, part))
}

/** Whether there is something that reading by filters cannot do, or not as cheaply. */
async function needsWalk(ledger: Ledger, proofs: Proofs): Promise<boolean> {
  if (ledger.memory.walkQueue.size > 0) return true
  if (proofs['eq:id'] === undefined) return false
  const most = mayFilter(proofs, 1) ? mostRequests * countPerRead(proofs) : 0
  return (await findDue(ledger, readingStates, most + 1)).length > most
}

/**
 * What needs no answer of the service: gives up what was interrupted, closes what was never sent in time, and asks for a
 * person, whoever would have to be signed in for the rest. Answers how many. Throws what the store throws.
 */
export async function closeUnattended(ledger: Ledger): Promise<number> {
  return (await giveUpInterrupted(ledger)) + (await closeStale(ledger)) + (await closeOverdue(ledger))
}

/** How many were taken up, and what the pass has begun and not waited for: reads and sends. They never reject. */
export type Pass = { due: number; work: Promise<unknown> }

/**
 * Step 6 of a cancellation (docs/architecture.md), one pass over everything that is due; it begins what is to be done
 * and waits for none of it, so that a long walk or a slow service keeps nobody. Throws what the store throws.
 */
export async function reconcile(ledger: Ledger): Promise<Pass> {
  await ledger.clock.store.refresh()
  const ended = await closeUnattended(ledger)
  const resumed = await resumeUnsent(ledger)
  const proofs = await ledger.capabilities.read()
  const read = await beginReads(ledger, proofs)
  const walk = (await needsWalk(ledger, proofs)) ? walkList(ledger) : null
  const work = [...resumed, ...read, ...(walk ? [walk] : [])]
  return { due: ended + work.length, work: Promise.all(work) }
}
