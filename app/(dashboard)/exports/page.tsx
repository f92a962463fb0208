import { PageHeader } from '@/components/layout/page-header'
import * as m from '@/lib/messages/m'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import { requirePageSession } from '@/lib/server/auth/session'
import { readCapabilities } from '@/lib/server/upstream/capabilities'
import { ExportsPage } from './exports-page'

export const generateMetadata = createMetadata(m.exportsPage_title)

export default async function Page() {
  const session = await requirePageSession('export')
  const [listPayments, listCustomers, listMandates] = await Promise.all([
    readCapabilities(session, 'listPayments'),
    readCapabilities(session, 'listCustomers'),
    readCapabilities(session, 'listMandates'),
  ])
  return (
    <>
      <PageHeader title={m.exportsPage_title()} about={m.exportsPage_about()} />
      <ExportsPage proofs={{ listPayments, listCustomers, listMandates }} />
    </>
  )
}
