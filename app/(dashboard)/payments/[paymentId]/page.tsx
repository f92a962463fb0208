import type { Metadata } from 'next'
import { cache } from 'react'
import { hasPermission } from '@/lib/api-contract/permission'
import { formatPageTitle } from '@/lib/domain/page-title'
import { decodeSegment } from '@/lib/domain/page-address'
import { requirePageSession } from '@/lib/server/auth/session'
import { loadPayment } from './load-payment'
import { PaymentPage } from './payment-page'
import * as m from '@/lib/messages/m'

type PageProps = { params: Promise<{ paymentId: string }> }

const load = cache(async (segment: string) => {
  const session = await requirePageSession()
  const id = decodeSegment(segment)
  return { session, id, ...(await loadPayment(session, id)) }
})

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { payment } = await load((await params).paymentId)
  return {
    title: formatPageTitle(m.paymentPage_payment(), payment && (payment.reference || payment.handle || payment.id)),
  }
}

export default async function Page({ params }: PageProps) {
  const { session, id, payment, proofs } = await load((await params).paymentId)
  return <PaymentPage id={id} loaded={payment} proofs={proofs} mayCancel={hasPermission(session.role, 'cancel')} />
}
