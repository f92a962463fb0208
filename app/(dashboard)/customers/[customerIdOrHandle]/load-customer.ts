import { cache } from 'react'
import { decodeSegment } from '@/lib/domain/page-address'
import { requirePageSession } from '@/lib/server/auth/session'
import { readRecord } from '@/lib/server/upstream/page-data'

/** The customer that a segment of a page's address names, read once for the page and its title. */
export const loadCustomer = cache(async (segment: string) => {
  const session = await requirePageSession()
  const customerIdOrHandle = decodeSegment(segment)
  return { session, customerIdOrHandle, read: await readRecord(session, 'getCustomer', { customerIdOrHandle }) }
})
