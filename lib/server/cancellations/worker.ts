import { setImmediate as letOthersIn } from 'node:timers/promises'
import { and, asc, eq, gt, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { isPast } from '../store/leases'
import { cancellations } from '../store/schema'
import { changeState } from './change-state'
import { closeOverdue, closeStale, closeUnsent, isStale, resumeIntent } from './deadlines'
import { findDue, isNotQueuedInBulk, leaseDue, runIsolated } from './leases'
import type { CancellationRow, Ledger } from './ledger'
import { pollByFilter, pollByList } from './poll'
import { canFilterByIds, MAX_IDS_PER_FILTER } from './read-payment'
import { type CancellationState, pollingStates } from './states'

const mostInterrupted = 500
const resumedAtOnce = 4
/** When what is due costs more requests than these, one walk of the list is shared by all. */
const mostRequests = 20
/** So many reads stand in line for their turn at the service. */
const readsAhead = 2
/** So many that only a walk can find are not named one by one any more. */
const mostNamed = 1_000

/** Whoever was sending is gone: what became of the request is not known. */
export async function markUnknown(ledger: Ledger, row: CancellationRow): Promise<void> {
  await changeState(ledger, row, 'unknown', {
    dueAt: ledger.clock.store.sql(),
    evidence: { ...row.evidence, reply: undefined, failure: 'interrupted' },
  })
}

async function giveUpInterrupted(ledger: Ledger): Promise<number> {
  const rows = await leaseDue(ledger, ['sending'], { most: mostInterrupted })
  await Promise.all(rows.map((row) => runIsolated(ledger, row, () => markUnknown(ledger, row))))
  return rows.length
}

/** Intents that were interrupted before they were sent, or had to wait; those of a bulk wait for their turn there. */
async function resumeUnsent(ledger: Ledger): Promise<Promise<unknown>[]> {
  const { memory } = ledger
  const rows = await leaseDue(ledger, ['intended', 'waiting'], { most: memory.resumes.room(resumedAtOnce) })
  memory.resumes.begin(rows.length)
  return rows.map(async (row) => {
    await runIsolated(ledger, row, () => resumeIntent(ledger, row))
    memory.resumes.end()
  })
}

/** How many payments one request reads. */
function countPerRead(proofs: CapabilityProofs): number {
  return canFilterByIds(proofs, MAX_IDS_PER_FILTER) ? MAX_IDS_PER_FILTER : 1
}

/** How many payments are read at once: one until a filter by an id has proven itself, none where it is known to fail. */
function countAtOnce(proofs: CapabilityProofs): number {
  if (!canFilterByIds(proofs, 1)) return 0
  if (proofs['eq:id'] === undefined) return 1
  const perRead = countPerRead(proofs)
  return perRead > 1 ? readsAhead * perRead : mostRequests
}

function divide<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )
}

async function beginReads(ledger: Ledger, proofs: CapabilityProofs): Promise<Promise<unknown>[]> {
  const { memory } = ledger
  const isCheap =
    memory.walkQueue.size <= mostNamed && memory.hasTurnBy(ledger.clock.now().getTime() + ledger.rules.readEvery)
  const rows = isCheap
    ? await leaseDue(ledger, pollingStates, {
        most: memory.reads.room(countAtOnce(proofs)),
        except: [...memory.walkQueue],
      })
    : []
  return divide(rows, countPerRead(proofs)).map((part) => pollByFilter(ledger, part))
}

/** Whether there is something that reading by filters cannot do, or not as cheaply. */
async function needsWalk(ledger: Ledger, proofs: CapabilityProofs): Promise<boolean> {
  if (ledger.memory.walkQueue.size > 0) return true
  if (proofs['eq:id'] === undefined) return false
  const most = canFilterByIds(proofs, 1) ? mostRequests * countPerRead(proofs) : 0
  return (await findDue(ledger, pollingStates, most + 1)).length > most
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
export async function runPass(ledger: Ledger): Promise<Pass> {
  await ledger.clock.store.refresh()
  const ended = await closeUnattended(ledger)
  const resumed = await resumeUnsent(ledger)
  const proofs = await ledger.capabilities.read()
  const read = await beginReads(ledger, proofs)
  const walk = (await needsWalk(ledger, proofs)) ? pollByList(ledger) : null
  const work = [...resumed, ...read, ...(walk ? [walk] : [])]
  return { due: ended + work.length, work: Promise.all(work) }
}

/** Open cancellations that no living process works on: all of them when no other process can be. */
function isOrphan({ connectionId, ownerId, clock, isAlone }: Ledger): SQL | undefined {
  return and(
    eq(cancellations.connectionId, connectionId),
    ownerId === undefined ? undefined : eq(cancellations.userId, ownerId),
    isNull(cancellations.closedAt),
    isNotQueuedInBulk,
    isAlone ? undefined : isPast(cancellations.leaseUntil, clock.store.sql),
  )
}

/** Rows that one statement reads or changes: PGlite runs each in this thread, and nobody else is served meanwhile. */
const rowsAtOnce = 250

/** The orphans of these states, some at a time; others are let in before each part. */
async function* findOrphans(
  ledger: Ledger,
  states: readonly CancellationState[],
): AsyncGenerator<CancellationRow[], void, void> {
  for (let last: CancellationRow | undefined; ; ) {
    await letOthersIn()
    const rows: CancellationRow[] = await ledger.db
      .select()
      .from(cancellations)
      .where(
        and(
          isOrphan(ledger),
          inArray(cancellations.state, [...states]),
          last ? gt(cancellations.id, last.id) : undefined,
        ),
      )
      .orderBy(asc(cancellations.id))
      .limit(rowsAtOnce)
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) return
    last = rows.at(-1)
  }
}

async function giveUpBegun(ledger: Ledger): Promise<void> {
  for await (const rows of findOrphans(ledger, ['sending', 'intended'])) {
    // Together they share transactions.
    await Promise.all(
      rows.map(async (row) => {
        await ledger.step('during-recovery')
        if (row.state === 'sending') await markUnknown(ledger, row)
        else if (isStale(ledger, row)) await closeUnsent(ledger, row)
      }),
    )
  }
}

/** Makes all others due at once, and free; a wait that the service asked for is kept. */
async function makeDue(ledger: Ledger): Promise<void> {
  const dueAt = sql`case when ${cancellations.state} = 'waiting' then ${cancellations.dueAt} else ${ledger.clock.store.sql()} end`
  for await (const rows of findOrphans(ledger, ['intended', 'waiting', ...pollingStates])) {
    const ids = rows.map(({ id }) => id)
    await ledger.db
      .update(cancellations)
      .set({ dueAt, leaseHolder: null, leaseUntil: null })
      .where(and(isOrphan(ledger), ne(cancellations.state, 'sending'), inArray(cancellations.id, ids)))
  }
}

/**
 * Step 7 of a cancellation (docs/architecture.md), before anything is served: what an earlier process left behind. An
 * interrupted request becomes unknown and is read; an intent never sent is closed as not sent when it is too old, else
 * left for the worker, which sends it through the guard. Renews nothing (see signLife). Throws what the store throws.
 */
export async function recover(ledger: Ledger): Promise<void> {
  await ledger.clock.store.refresh()
  await giveUpBegun(ledger)
  await makeDue(ledger)
}

/** `stop` lets what was begun come to its end. */
export type Worker = { stop: () => Promise<void> }

const longestNap = 1_000
const napAfterFailure = 2_000

/**
 * Recovers what was left behind, then looks again and again for what is due, until stopped. Answers once
 * recovery is done; throws what the store throws during recovery alone.
 */
export async function runWorker(ledger: Ledger): Promise<Worker> {
  const { memory } = ledger
  memory.passes.set('ledger', performance.now())
  await recover(ledger)
  memory.start()
  const begun = new Set<Promise<void>>()
  const loop = async () => {
    while (!memory.isStopping) {
      const pause = Math.min(ledger.rules.readEvery, longestNap)
      try {
        await ledger.keepPresence()
        const { work } = await runPass(ledger)
        memory.passes.set('ledger', performance.now())
        const ended = work.then(() => void begun.delete(ended))
        begun.add(ended)
        await memory.nap(pause)
      } catch (error) {
        ledger.report('reconciliation-failed', { error })
        await memory.rest(Math.max(pause, napAfterFailure))
      }
    }
  }
  const running = loop()
  return {
    stop: async () => {
      memory.stop()
      await running
      memory.passes.delete('ledger')
      await Promise.all(begun)
    },
  }
}
