import { listIds } from '@/lib/format/list-ids'

/**
 * SHA-256 of the ids that are shown, in hex, so that the desk can compare it with what it keeps. Null where the
 * browser hashes nothing: on a page that came over plain HTTP from another machine.
 */
export async function hashIds(paymentIds: readonly string[]): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(listIds(paymentIds)))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
