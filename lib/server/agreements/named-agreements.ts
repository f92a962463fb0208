import { agreement } from '@/lib/api-contract/agreements'

export type NamedAgreement = {
  agreementId: string
  handle: string | null
  scheme: string | null
  status: string | null
  test: boolean | null
}

/** What the desk keeps of an agreement as read; null for one that has neither id nor handle. */
export function readAgreement(value: unknown): NamedAgreement | null {
  if (typeof value === 'string')
    return value === '' ? null : { agreementId: value, handle: null, scheme: null, status: null, test: null }
  const read = agreement.safeParse(value)
  if (!read.success) return null
  const { id, handle, scheme, status, test } = read.data
  const agreementId = id || handle
  return agreementId ? { agreementId, handle, scheme, status, test } : null
}

const most = 500
const deepest = 3

/**
 * Finds the agreements that a merchant record names: lists called "agreements" in any letter case, of
 * records or of ids, at most three levels down. The interface does not show the record.
 */
export function findNamedAgreements(record: unknown, depth = 0): NamedAgreement[] {
  if (typeof record !== 'object' || record === null || depth > deepest) return []
  return Object.entries(record)
    .flatMap(([name, value]) =>
      name.toLowerCase() === 'agreements' && Array.isArray(value)
        ? value.map(readAgreement)
        : findNamedAgreements(value, depth + 1),
    )
    .filter((found) => found !== null)
    .slice(0, most)
}
