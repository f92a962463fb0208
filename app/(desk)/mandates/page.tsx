import type { Metadata } from 'next'
import { requirePageSession } from '@/lib/server/session'
import * as words from '@/lib/words/mandates'
import { loadTable, type SearchParams } from '../load-table'
import { MandatesList } from './mandates-list'
import { mandatesTable } from './mandates-table'

export const metadata: Metadata = { title: words.mandates }

export default async function MandatesPage({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession()
  return <MandatesList {...(await loadTable(session, mandatesTable, searchParams))} />
}
