import { redirect } from 'next/navigation'
import type { ViewPage } from '@/lib/contract/saved-view'

/** The query of a page. */
export type Query = Record<string, string | string[] | undefined>

/** Opens a list that is asked for without anything with the view that its reader has chosen for that, by its query. */
export function openDefaultView(chosen: string, page: ViewPage, query: Query): void {
  const { merchant, ...given } = query
  if (Object.keys(given).length > 0) return
  const named = typeof merchant === 'string' ? `&${new URLSearchParams({ merchant }).toString()}` : ''
  redirect(`/${page}?${chosen}${named}`)
}
