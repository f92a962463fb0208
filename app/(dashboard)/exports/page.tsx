import { PageHeader } from '@/components/layout/page-header'
import * as m from '@/lib/messages/m'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import { requirePageSession } from '@/lib/server/auth/session'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { findOwnExport, viewExport } from '@/lib/server/exports/queries'
import { requireStore } from '@/lib/server/store/store'
import { readCapabilities } from '@/lib/server/upstream/capabilities'
import { ExportsPage } from './exports-page'

export const generateMetadata = createMetadata(m.exportsPage_title)

type Props = { searchParams: Promise<{ export?: string | string[] }> }

export default async function Page({ searchParams }: Props) {
  const session = await requirePageSession('export')
  // A mail names the export that is ready.
  const { export: named } = await searchParams
  const wanted = uuidSegment.safeParse(named).data
  const row = wanted === undefined ? undefined : await findOwnExport(await requireStore(), session, wanted)
  const [listPayments, listCustomers, listMandates] = await Promise.all([
    readCapabilities(session, 'listPayments'),
    readCapabilities(session, 'listCustomers'),
    readCapabilities(session, 'listMandates'),
  ])
  return (
    <>
      <PageHeader title={m.exportsPage_title()} about={m.exportsPage_about()} />
      <ExportsPage
        proofs={{ listPayments, listCustomers, listMandates }}
        key={row?.id}
        opened={row && viewExport(row)}
        isGone={named !== undefined && row === undefined}
      />
    </>
  )
}
