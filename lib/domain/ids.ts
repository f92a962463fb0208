/*
 * How ids are compared (docs/decisions/0111-ids-are-opaque.md). An id is the service's own text: two that differ in
 * anything, case too, name two records. Only UUIDs may be written in capitals or small letters (RFC 9562, section 4).
 * lib/server/store/schema.ts says the same in SQL. Handles are always compared exactly.
 */

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** The form in which an id is compared: itself, a UUID in small letters. */
export function idKey(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id
}

export function isSameId(one: string | null, other: string): boolean {
  return one !== null && idKey(one) === idKey(other)
}

/** The entries with this id: those that spell it exactly so; only without them those that are the same UUID. */
export function pickById<Entry extends { id: string | null }>(entries: readonly Entry[], id: string): Entry[] {
  const exact = entries.filter((entry) => entry.id === id)
  return exact.length > 0 ? exact : entries.filter((entry) => isSameId(entry.id, id))
}
