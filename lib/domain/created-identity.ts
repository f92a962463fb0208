import { normalizeFieldNames } from '@/lib/api-contract/record-fields'

/** A non-empty text, or a number as one; null for anything else, and for a number beyond a double's precision. */
export function toText(value: unknown): string | null {
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * The id and handle (text or number, names in any letter case) in a reply whose shape the interface does not show, such
 * as that of a creation: those of the reply itself or of its only member. Zod-free.
 */
export function parseIdentity(reply: unknown): { id: string | null; handle: string | null } {
  const members = typeof reply === 'object' && reply !== null ? Object.values(reply) : []
  for (const record of [reply, ...(members.length === 1 ? members : [])]) {
    const spelled = normalizeFieldNames(record, ['id', 'handle'])
    if (typeof spelled !== 'object' || spelled === null) continue
    const { id, handle }: { id?: unknown; handle?: unknown } = spelled
    if (toText(id) !== null || toText(handle) !== null) return { id: toText(id), handle: toText(handle) }
  }
  return { id: null, handle: null }
}
