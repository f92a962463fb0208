import { attend } from './attend'
import { type Change, changeState } from './change-state'
import { closeOverdue } from './close-overdue'
import type { CancellationRow, Ledger } from './ledger'
import { findDue, leaseDue } from './lease-due'
import { readDue } from './read-due'
import { mayReadTogether, mostTogether } from './read-together'
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
export async function giveUpSending(ledger: Ledger, row: CancellationRow, change: Change = {}): Promise<void> {
  await changeState(ledger, row, 'unknown', {
    ...change,
    dueAt: ledger.clock.now(),
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
  const rows = await leaseDue(ledger, ['intended', 'waiting'], { most: resumedAtOnce - memory.resuming })
  memory.resuming += rows.length
  return rows.map(async (row) => {
    await attend(ledger, row, () => resumeIntent(ledger, row))
    memory.resuming -= 1
    memory.wake()
  })
}

/** How many payments one request reads. */
function countPerRead(ledger: Ledger): number {
  return mayReadTogether(ledger) ? mostTogether : 1
}

function divide<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )
}

async function beginReads(ledger: Ledger): Promise<Promise<unknown>[]> {
  const { memory } = ledger
  const perRead = countPerRead(ledger)
  const most = perRead > 1 ? readsAhead * perRead : mostRequests
  const atOnce = { holds: most, untried: 1, fails: 0 }[memory.idFilter]
  const isCheap =
    memory.toWalk.size <= mostNamed && memory.nextReadAt <= ledger.clock.now().getTime() + ledger.rules.readEvery
  const rows = isCheap
    ? await leaseDue(ledger, readingStates, { most: atOnce - memory.reading, except: [...memory.toWalk] })
    : []
  return divide(rows, perRead).map((part) => readDue(ledger, part))
}

/** Whether there is something that reading by filters cannot do, or not as cheaply. */
async function needsWalk(ledger: Ledger): Promise<boolean> {
  const { idFilter, toWalk } = ledger.memory
  if (toWalk.size > 0) return true
  if (idFilter === 'untried') return false
  const most = idFilter === 'holds' ? mostRequests * countPerRead(ledger) : 0
  return (await findDue(ledger, readingStates, most + 1)).length > most
}

/** How many were taken up, and what the pass has begun and not waited for: reads and sends. They never reject. */
export type Pass = { due: number; work: Promise<unknown> }

/**
 * Step 6, one pass over everything that is due; it begins what is to be done and waits for none of it, so that
 * a long walk or a slow service keeps nobody. Throws what the store throws.
 */
export async function reconcile(ledger: Ledger): Promise<Pass> {
  const interrupted = await giveUpInterrupted(ledger)
  const overdue = await closeOverdue(ledger)
  const resumed = await resumeUnsent(ledger)
  const read = await beginReads(ledger)
  const walk = (await needsWalk(ledger)) ? walkList(ledger) : null
  const work = [...resumed, ...read, ...(walk ? [walk] : [])]
  return { due: interrupted + overdue + work.length, work: Promise.all(work) }
}
