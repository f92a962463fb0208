import { readEvent } from '@/lib/contract/read-event'
import { parseReply } from '../parse-json'

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu

/** The id of the payment that a delivery speaks of, or null. Nothing else is taken from it. */
export function readEventSubject(body: string): string | null {
  try {
    const { objectType, id } = readEvent(parseReply(body))
    return objectType?.toLowerCase() === 'payment' && id !== null && uuid.test(id) ? id : null
  } catch {
    return null
  }
}
