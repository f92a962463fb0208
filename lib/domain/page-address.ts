/** Segments of other pages in places where an id could be. */
const reservedSegments = ['.', '..', 'new', 'import', 'bulk', 'closing']

/**
 * The path of a resource's page, such as `/customers/{id}`; null for an id that cannot be in a path: empty, a dot
 * segment, not well-formed, or the name of another page.
 */
export function buildPagePath(section: `/${string}`, id: string | null | undefined): string | null {
  if (!id || reservedSegments.includes(id) || !id.isWellFormed()) return null
  return `${section}/${encodeURIComponent(id)}`
}

/** Decodes a path parameter, which Next passes to pages still encoded. Returns it unchanged if it is invalid. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Whether a request's path is validly encoded and not empty. */
export function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}
