import { agreement } from '@/lib/api-contract/agreements'

export type NamedAgreement = {
  agreementId: string
  handle: string | null
  scheme: string | null
  status: string | null
  test: boolean | null
}

/** Null for an agreement without id and handle. */
export function parseNamedAgreement(value: unknown): NamedAgreement | null {
  if (typeof value === 'string')
    return value === '' ? null : { agreementId: value, handle: null, scheme: null, status: null, test: null }
  const read = agreement.safeParse(value)
  if (!read.success) return null
  const { id, handle, scheme, status, test } = read.data
  const agreementId = id || handle
  return agreementId ? { agreementId, handle, scheme, status, test } : null
}

const MAX_AGREEMENTS = 500
const MAX_DEPTH = 3

/**
 * Finds the agreements named in a merchant record, whose format is unspecified: lists called "agreements" in any case,
 * of records or ids, at most three levels down.
 */
export function findNamedAgreements(record: unknown, depth = 0): NamedAgreement[] {
  if (typeof record !== 'object' || record === null || depth > MAX_DEPTH) return []
  return Object.entries(record)
    .flatMap(([name, value]) =>
      name.toLowerCase() === 'agreements' && Array.isArray(value)
        ? value.map(parseNamedAgreement)
        : findNamedAgreements(value, depth + 1),
    )
    .filter((found) => found !== null)
    .slice(0, MAX_AGREEMENTS)
}
