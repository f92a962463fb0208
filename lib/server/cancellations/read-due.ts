import { attend } from './attend'
import type { CancellationRow, Ledger } from './ledger'
import { after } from './ledger-clock'
import { postpone } from './note-read'
import type { Reading } from './pick-payment'
import { readSingle, readTogether } from './read-payment'
import { settleReading } from './settle-reading'
import { walkList } from './walk-list'

/** So much of a lease a read may use; the rest is for writing down what it showed. */
const share = 0.6

async function settle(ledger: Ledger, row: CancellationRow, reading: Reading, at: Date): Promise<void> {
  await (await settleReading(ledger, row, { reading, at }))?.()
}

/** Reads one by itself, and leaves it to the walk where that says nothing of it. */
async function readOne(ledger: Ledger, row: CancellationRow, until: Date): Promise<void> {
  const at = ledger.clock.store.now()
  const reading = await readSingle(ledger, row.paymentId, { paced: true, until })
  if (reading) return settle(ledger, row, reading, at)
  ledger.memory.queueForWalk(row.id)
  await postpone(ledger, row, 0)
}

/**
 * Reads the payments of leased cancellations, several by one request where the service can, else one by one, and
 * applies what they show; where a filter brings nothing the shared walk is to tell. Never rejects.
 */
export async function readDue(ledger: Ledger, rows: readonly CancellationRow[]): Promise<void> {
  const { memory, clock, rules } = ledger
  memory.reads.begin(rows.length)
  const at = clock.store.now()
  const until = after(clock.now(), rules.lease * share)
  const paymentIds = rows.map(({ paymentId }) => paymentId)
  const readings = await readTogether(ledger, paymentIds, { paced: true, until })
  // Together they share transactions.
  await Promise.all(
    rows.map(async (row) => {
      await attend(ledger, row, () => {
        const reading = readings.get(row.paymentId)
        return reading ? settle(ledger, row, reading, at) : readOne(ledger, row, until)
      })
      memory.reads.end()
      // A walk takes long, and keeps no other read waiting.
      if (memory.walkQueue.has(row.id)) await walkList(ledger)
    }),
  )
}
