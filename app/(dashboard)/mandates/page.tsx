import type { Metadata } from 'next'
import { requirePageSession } from '@/lib/server/auth/session'
import * as words from '@/lib/words/mandates'
import { loadList, type SearchParams } from '../load-list'
import { MandatesList } from './mandates-list'
import { mandatesTable } from './mandates-table'

export const metadata: Metadata = { title: words.mandates }

export default async function MandatesPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  return <MandatesList initialPage={await loadList(session, mandatesTable, searchParams)} />
}
