'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useMemo } from 'react'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import type { ListId } from '@/lib/contract/ability'
import type { ListDefinition } from './list-definition'
import { readView, type TableView, writeView } from './table-view'

/** What changes; a function is given the view as the address has it, which a page that is still drawn may not know. */
type ViewChange = Partial<TableView> | ((current: TableView) => Partial<TableView>)

export type ChangeView = (change: ViewChange, history?: 'push' | 'replace') => TableView

/** The view of a table, whose one home is the URL: read from it, and changed by writing it, which answers the new one. */
export function useTableView<List extends ListId>(definition: ListDefinition<List>): [TableView, ChangeView] {
  const pathname = usePathname()
  const query = useSearchParams()
  const view = useMemo(() => readView(definition, query), [definition, query])
  const change: ChangeView = useCallback(
    (part, kind = 'push') => {
      const current = readView(definition, new URLSearchParams(location.search))
      const next = { ...current, ...(typeof part === 'function' ? part(current) : part) }
      // Next follows both, without a request (its documentation: "Native History API").
      const address = keepMerchant(pathname + writeView(definition, next))
      if (kind === 'push') history.pushState(null, '', address)
      else history.replaceState(null, '', address)
      return next
    },
    [definition, pathname],
  )
  return [view, change]
}
