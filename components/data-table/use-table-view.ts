'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useMemo } from 'react'
import type { ListId } from '@/lib/contract/ability'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import { whenFollowed } from '@/lib/browser/followed-history'
import type { TableDefinition } from './define-table'
import { readView, type TableView, writeView } from './table-view'

/** What changes; a function is given the view as the address has it, which a page that is still drawn may not know. */
type ViewChange = Partial<TableView> | ((current: TableView) => Partial<TableView>)

export type ChangeView = (change: ViewChange, history?: 'push' | 'replace') => void

/** The view of a table, whose one home is the URL: read from it, and changed by writing it. */
export function useTableView<List extends ListId>(table: TableDefinition<List>): [TableView, ChangeView] {
  const pathname = usePathname()
  const query = useSearchParams()
  const view = useMemo(() => readView(table, query), [table, query])
  const change: ChangeView = useCallback(
    (part, kind = 'push') => {
      whenFollowed(() => {
        const current = readView(table, new URLSearchParams(location.search))
        const address = keepMerchant(
          pathname + writeView(table, { ...current, ...(typeof part === 'function' ? part(current) : part) }),
        )
        if (kind === 'push') history.pushState(null, '', address)
        else history.replaceState(null, '', address)
      })
    },
    [table, pathname],
  )
  return [view, change]
}
