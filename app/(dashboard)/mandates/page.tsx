import type { Metadata } from 'next'
import { requirePageSession } from '@/lib/server/auth/session'
import { loadList, type SearchParams } from '../load-list'
import { MandatesList } from './mandates-list'
import { mandatesTable } from './mandates-table'
import * as m from '@/lib/messages/m'

export const generateMetadata = (): Metadata => ({ title: m.mandates_mandates() })

export default async function MandatesPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  return <MandatesList initialPage={await loadList(session, mandatesTable, searchParams)} />
}
