import { attend } from './attend'
import type { CancellationRow, Ledger } from './ledger'
import { after } from './ledger-clock'
import { postpone } from './note-read'
import { readSingle } from './read-payment'
import { settleReading } from './settle-reading'
import { walkList } from './walk-list'

/** So much of a lease a read may use; the rest is for writing down what it showed. */
const share = 0.6

async function read(ledger: Ledger, row: CancellationRow): Promise<void> {
  const at = ledger.clock.now()
  const until = after(at, ledger.rules.lease * share)
  const reading = await readSingle(ledger, row.paymentId, { paced: true, until })
  if (reading) return void (await (await settleReading(ledger, row, { reading, at }))?.())
  ledger.memory.toWalk.add(row.id)
  await postpone(ledger, row, 0)
  await walkList(ledger)
}

/**
 * Reads the payment of one leased cancellation by a filter by its id, which costs one request, and applies
 * what it shows; where the filter brings nothing the shared walk is to tell. Never rejects.
 */
export async function readSingly(ledger: Ledger, row: CancellationRow): Promise<void> {
  const { memory } = ledger
  memory.singles += 1
  await attend(ledger, row, () => read(ledger, row))
  memory.singles -= 1
  memory.wake()
}
