import { redirect } from 'next/navigation'
import type { ViewPage } from '@/lib/contract/saved-view'
import { requireStore } from '@/lib/server/store/require-store'
import type { Session } from '@/lib/server/session'
import { readDefaultView } from '@/lib/server/views/saved-views'

/** The query of a page. */
export type Query = Record<string, string | string[] | undefined>

/** Opens a list that is asked for without anything with the view that its reader has chosen for that. */
export async function openDefaultView(session: Session, page: ViewPage, query: Query): Promise<void> {
  const { merchant, ...given } = query
  if (Object.keys(given).length > 0) return
  const chosen = await readDefaultView(await requireStore(), session, page)
  if (chosen === null) return
  const named = typeof merchant === 'string' ? `&${new URLSearchParams({ merchant }).toString()}` : ''
  redirect(`/${page}?${chosen}${named}`)
}
