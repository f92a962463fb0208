/*
 * How ids are compared (docs/decisions/0111-ids-are-opaque.md). Ids are opaque and case-sensitive, except UUIDs, whose
 * case is irrelevant (RFC 9562, section 4). lib/server/store/schema.ts does the same in SQL. Handles are always compared
 * exactly.
 */

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** An id as a line names it: of a UUID the first digits, or the last ones where it begins with the time (version 7). */
export function shortenId(id: string): string {
  if (!isUuid(id)) return id
  return id[14] === '7' ? `…${id.slice(-8)}` : `${id.slice(0, 8)}…`
}

/** The comparable form of an id: a UUID in lower case, anything else as is. */
export function idKey(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id
}

export function isSameId(one: string | null, other: string): boolean {
  return one !== null && idKey(one) === idKey(other)
}

/**
 * The entries that an id or a handle names: those with the id, or if there are none, those with exactly the handle. A
 * UUID is no handle.
 */
export function pickByIdOrHandle<Entry extends { id: string | null; handle: string | null }>(
  entries: readonly Entry[],
  name: string,
): Entry[] {
  const found = pickById(entries, name)
  return found.length > 0 || isUuid(name) ? found : entries.filter(({ handle }) => handle === name)
}

/** The entries with exactly this id, or if there are none, those with the same UUID. */
export function pickById<Entry extends { id: string | null }>(entries: readonly Entry[], id: string): Entry[] {
  const exact = entries.filter((entry) => entry.id === id)
  return exact.length > 0 ? exact : entries.filter((entry) => isSameId(entry.id, id))
}
