import { isUuid } from '@/lib/contract/ids'
import { readEvent } from '@/lib/contract/read-event'
import { parseReply } from '../parse-json'

/** The id of the payment that a delivery speaks of, or null. Nothing else is taken from it. */
export function readEventSubject(body: string): string | null {
  try {
    const { objectType, id } = readEvent(parseReply(body))
    return objectType?.toLowerCase() === 'payment' && id !== null && isUuid(id) ? id : null
  } catch {
    return null
  }
}
