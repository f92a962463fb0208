import type { BulkConfirmation } from '@/lib/contract/bulk'
import * as fields from '@/lib/words/fields'
import { Failure } from '../failure'
import type { bulkRows } from '../store/bulk-schema'

/** The reason of one row, from what was confirmed and what came with the list. Throws Failure 'bad-request' where there is none. */
export function chooseReason(
  { position, reason }: Pick<typeof bulkRows.$inferSelect, 'position' | 'reason'>,
  confirmed: Pick<BulkConfirmation, 'reason' | 'reasons'>,
): string {
  const chosen = confirmed.reasons?.[String(position)] ?? confirmed.reason ?? reason
  if (chosen === null || chosen === undefined)
    throw new Failure('bad-request', { errors: { reason: [fields.isMissingForRow(position + 1)] } })
  return chosen
}
