import { createHash } from 'node:crypto'

/** SHA-256 of a file's text, in hex. */
export function hashFile(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/**
 * The Idempotency-Key of one line of a file, in the shape of a UUID v4: the same line of the same file is the
 * same request, whoever sends it and whenever, until the service has refused it for certain.
 */
export function makeLineKey(connectionId: string, fileHash: string, line: number, refusals: number): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([connectionId, fileHash, line, refusals]))
    .digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
