import type { Payment } from '@/lib/contract/payments'
import { RowList } from '../row-list'
import { type ListService, makePayments, startListService, until } from './list-service'

export type ListStage = {
  /** Starts the service and opens a list at it. */
  open: (answer: Parameters<typeof startListService>[0]) => Promise<RowList<Payment>>
  /** The service of the last `open`. */
  service: () => ListService
  /** Puts the list away; `reopen` takes it up again. */
  pause: () => void
  reopen: (list: RowList<Payment>) => void
  close: () => Promise<void>
}

/** A list at a service on loopback, for one test after the other. */
export function setListStage(): ListStage {
  let running: ListService | undefined
  let pause: (() => void) | undefined
  const stage: ListStage = {
    async open(answer) {
      running = await startListService(answer)
      const list = new RowList<Payment>({ idOf: (row) => row.id, read: running.read })
      pause = list.open()
      return list
    },
    service() {
      if (!running) throw new Error('no list was opened')
      return running
    },
    pause: () => pause?.(),
    reopen(list) {
      pause = list.open()
    },
    async close() {
      pause?.()
      await running?.close()
    },
  }
  return stage
}

/** The keys of the rows as they stand. */
export function readKeys(list: RowList<Payment>): string[] {
  return Array.from({ length: list.size }, (_, index) => list.keyAt(index))
}

/** Waits until nothing is being read. */
export async function settle(list: RowList<Payment>): Promise<void> {
  await until(() => list.walk.kind !== 'loading')
}

/** An honest service of `total` payments in pages of 100. */
export function honest(total: number) {
  return (after: string | null) => {
    const first = after === null ? 0 : Number(after)
    const count = Math.min(100, total - first)
    const hasMore = first + count < total
    return {
      body: { results: makePayments(first, count), hasMore, nextOffset: hasMore ? String(first + count) : null },
    }
  }
}
