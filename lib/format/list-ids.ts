/** The text whose SHA-256 stands for a list of payments: their ids in small letters, sorted by code unit, one a line. */
export function listIds(paymentIds: readonly string[]): string {
  return paymentIds
    .map((id) => id.toLowerCase())
    .toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
    .join('\n')
}
