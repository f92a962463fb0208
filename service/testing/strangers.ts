/** Authorization headers of so many credentials that nobody has. */
export function makeStrangers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `authorization: Basic ${btoa(`made-up-${index}:`)}`)
}

/** A read with one header as it stands on the wire. */
export const writeRequest = (header: string) => `GET /Merchants HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`

/** How often each status stands in what came back. */
export function countStatuses(replies: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [, status = ''] of replies.matchAll(/HTTP\/1\.1 (\d+)/gu)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
