import { idKey } from '@/lib/contract/ids'

/** The text whose SHA-256 stands for a list of payments: their ids (UUIDs in small letters), sorted by code unit, one a line. */
export function listIds(paymentIds: readonly string[]): string {
  return paymentIds
    .map(idKey)
    .toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
    .join('\n')
}
