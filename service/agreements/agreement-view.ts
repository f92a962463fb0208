import type { Database } from '@/lib/database/open-database'
import { Problem } from '../http/problem'
import { byIdOrHandle, preferId } from '../query/by-id-or-handle'
import { agreements } from '../store/schema'

export type AgreementRow = typeof agreements.$inferSelect

/** An agreement (the interface does not show this reply): the input's fields, id, handle and state. */
export function viewAgreement({
  id,
  handle,
  scheme,
  status,
  schemeData,
  test,
  dataSourceHandle,
  createdAt,
  modifiedAt,
}: AgreementRow) {
  return { id, handle, scheme, status, schemeData, test, dataSourceHandle, createdAt, modifiedAt }
}

/** Bytes of schemeData as JSON that an event carries: no event is larger than 20 KB. */
const mostToldData = 16_384

/** An agreement as its events tell it; large schemeData is left out, and read where it is wanted. */
export function tellAgreement(row: AgreementRow) {
  const { schemeData, ...view } = viewAgreement(row)
  return Buffer.byteLength(JSON.stringify(schemeData)) > mostToldData ? view : { ...view, schemeData }
}

/** Finds a merchant's agreement by id or handle. Throws Problem `not-found`, also for another merchant's. */
export async function findAgreement(db: Database, merchantId: string, idOrHandle: string): Promise<AgreementRow> {
  const found = await db
    .select()
    .from(agreements)
    .where(byIdOrHandle(agreements, merchantId, idOrHandle))
    .limit(2)
  const row = preferId(found, idOrHandle)
  if (!row) throw new Problem('not-found', 'There is no such agreement.')
  return row
}
