import { RecordError } from '@/components/feedback/record-error'
import { BackLink } from '@/components/layout/page-header'
import type { SerializedFailure } from '@/lib/api-contract/problem'
import * as m from '@/lib/messages/m'

/** A page about a customer that could not be read. */
export function CustomerError({ idOrHandle, failure }: { idOrHandle: string; failure: SerializedFailure }) {
  return (
    <>
      <BackLink href="/customers">{m.customer_customers()}</BackLink>
      <RecordError kind="Customer" idOrHandle={idOrHandle} failure={failure} />
    </>
  )
}
