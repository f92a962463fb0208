import { requirePageSession } from '@/lib/server/auth/session'
import { loadList, type SearchParams } from '../load-list'
import { MandatesList } from './mandates-list'
import { mandatesTable } from './mandates-table'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.mandates_mandates)

export default async function MandatesPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  return <MandatesList initialPage={await loadList(session, mandatesTable, searchParams)} />
}
