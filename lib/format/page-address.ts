/**
 * The address of the page about one resource, such as `/customers/{id}`; null for an id that cannot stand in
 * a path: empty, a dot segment, or text that is not well-formed.
 */
export function writePageAddress(section: `/${string}`, id: string | null | undefined): string | null {
  if (!id || id === '.' || id === '..' || !id.isWellFormed()) return null
  return `${section}/${encodeURIComponent(id)}`
}
