import { type PerformInput, type Performed, perform } from './perform'
import type { Session } from './session'
import type { ToldFailure } from '@/lib/contract/problem'
import { tellFailure } from './tell-failure'

/** The reads of one record, or of a list that comes whole. */
type RecordId = 'getCustomer' | 'getMandate' | 'getAgreement' | 'getMerchant' | 'listWebhooks'

/** A record for a page, or why there is none. */
export type ReadRecord<Id extends RecordId> = { record: Performed<Id> } | { failure: ToldFailure }

/** So long a page waits for its record, in milliseconds. */
const patience = 8_000

/** Reads the record that a page is about. Never throws: what went wrong is told as the browser would be told. */
export async function readRecord<Id extends RecordId>(
  session: Session,
  id: Id,
  params: NonNullable<PerformInput['params']> = {},
): Promise<ReadRecord<Id>> {
  try {
    return { record: await perform(session, id, { params, signal: AbortSignal.timeout(patience) }) }
  } catch (error) {
    return { failure: await tellFailure(error) }
  }
}
