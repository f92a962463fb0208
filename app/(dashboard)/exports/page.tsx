import { PageHeader } from '@/components/layout/page-header'
import * as m from '@/lib/messages/m'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import { requirePageSession } from '@/lib/server/auth/session'
import { listOwnExports } from '@/lib/server/exports/queries'
import { requireStore } from '@/lib/server/store/store'
import { readCapabilities } from '@/lib/server/upstream/capabilities'
import { ExportsPage } from './exports-page'

export const generateMetadata = createMetadata(m.exportsPage_title)

type Props = { searchParams: Promise<{ export?: string | string[] }> }

export default async function Page({ searchParams }: Props) {
  const session = await requirePageSession('export')
  // A mail names the export that is ready.
  const { export: wanted } = await searchParams
  const own = wanted === undefined ? [] : await listOwnExports(await requireStore(), session)
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
        firstList={own.find(({ id }) => id === wanted)?.query.list}
      />
    </>
  )
}
