import type { CancellationRow, Ledger } from './ledger'

/** One that fails must not keep the others; its lease runs out and it is taken up again. Never throws. */
export async function attend<Result>(
  ledger: Ledger,
  row: Pick<CancellationRow, 'id'>,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    ledger.report('cancellation-stuck', { cancellationId: row.id, error })
    return null
  }
}
