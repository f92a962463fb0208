/**
 * Reads id and handle from a reply that the interface does not show, such as that of a creation: from the
 * record itself, or from one that is its only member. Zod-free.
 */
export function readIdentity(reply: unknown): { id: string | null; handle: string | null } {
  const members = typeof reply === 'object' && reply !== null ? Object.values(reply) : []
  for (const record of [reply, ...(members.length === 1 ? members : [])]) {
    if (typeof record !== 'object' || record === null) continue
    const { id, handle }: { id?: unknown; handle?: unknown } = record
    const read = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
    if (read(id) !== null || read(handle) !== null) return { id: read(id), handle: read(handle) }
  }
  return { id: null, handle: null }
}
