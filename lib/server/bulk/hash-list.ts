import { createHash } from 'node:crypto'
import { listIds } from '@/lib/format/list-ids'

/** SHA-256 of the sorted ids of a list, in hex (BK-03). */
export function hashList(paymentIds: readonly string[]): string {
  return createHash('sha256').update(listIds(paymentIds), 'utf8').digest('hex')
}
