import { redirect } from 'next/navigation'
import type { ViewPage } from '@/lib/contract/saved-view'
import { requireStore } from '@/lib/server/store/require-store'
import type { Session } from '@/lib/server/session'
import { readDefaultView } from '@/lib/server/views/saved-views'
import type { SearchParams } from './load-table'

/** Opens a list that is asked for without anything with the view that its reader has chosen for that. */
export async function openDefaultView(session: Session, page: ViewPage, searchParams: SearchParams): Promise<void> {
  const { merchant, ...given } = await searchParams
  if (Object.keys(given).length > 0) return
  const query = await readDefaultView(await requireStore(), session, page)
  if (query === null) return
  const named = typeof merchant === 'string' ? `&${new URLSearchParams({ merchant }).toString()}` : ''
  redirect(`/${page}?${query}${named}`)
}
