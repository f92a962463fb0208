/** Where a record could stand and another page does. */
const taken = ['.', '..', 'new', 'import', 'bulk', 'closing']

/**
 * The address of the page about one resource, such as `/customers/{id}`; null for an id that cannot stand in
 * a path: empty, a dot segment, text that is not well-formed, or the name of another page.
 */
export function buildPagePath(section: `/${string}`, id: string | null | undefined): string | null {
  if (!id || taken.includes(id) || !id.isWellFormed()) return null
  return `${section}/${encodeURIComponent(id)}`
}

/** One segment of an address as text: Next hands a page its parameters as they stand there. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Whether a path of a request decodes to text. */
export function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}
