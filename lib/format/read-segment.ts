/** One segment of an address as text: Next hands a page its parameters as they stand there. */
export function readSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
