import { normalizeFieldNames } from '@/lib/api-contract/record-fields'

function read(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * Reads id and handle, text or number, in any letter case, from a reply that the interface does not show, such as that of a creation: from the
 * record itself, or from one that is its only member. Zod-free.
 */
export function parseIdentity(reply: unknown): { id: string | null; handle: string | null } {
  const members = typeof reply === 'object' && reply !== null ? Object.values(reply) : []
  for (const record of [reply, ...(members.length === 1 ? members : [])]) {
    const spelled = normalizeFieldNames(record, ['id', 'handle'])
    if (typeof spelled !== 'object' || spelled === null) continue
    const { id, handle }: { id?: unknown; handle?: unknown } = spelled
    if (read(id) !== null || read(handle) !== null) return { id: read(id), handle: read(handle) }
  }
  return { id: null, handle: null }
}
