import type { Metadata } from 'next'
import { mayRole } from '@/lib/contract/permission'
import { readSegment } from '@/lib/format/read-segment'
import { requirePageSession } from '@/lib/server/session'
import * as words from '@/lib/words/payment-page'
import { loadPayment } from './load-payment'
import { PaymentPage } from './payment-page'

export const metadata: Metadata = { title: words.payment }

export default async function Page({ params }: { params: Promise<{ paymentId: string }> }) {
  const session = await requirePageSession()
  const id = readSegment((await params).paymentId)
  const { payment, proofs } = await loadPayment(session, id)
  return <PaymentPage id={id} loaded={payment} proofs={proofs} mayCancel={mayRole(session.role, 'cancel')} />
}
