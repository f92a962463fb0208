import { and, inArray, isNotNull, isNull, notInArray, or } from 'drizzle-orm'
import { cancellations } from '../store/schema'
import type { CancellationState } from './states'

/** Of these nothing has reached the service, or surely nothing was done. */
const unsent: CancellationState[] = ['intended', 'waiting']

/** Intents of a bulk that were not sent: they wait for their turn in the bulk, whatever their age (see bulk/run-bulks). */
export const isBulkTurn = and(isNotNull(cancellations.bulkId), inArray(cancellations.state, unsent))

/** All others: what the ledger's own worker takes up. */
export const isNotBulkTurn = or(isNull(cancellations.bulkId), notInArray(cancellations.state, unsent))
