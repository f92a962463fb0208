'use client'

import { use, useEffect, useEffectEvent, useState } from 'react'
import { MayCancel } from '@/components/cancellations/row-cancellation'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import type { RowList } from '@/components/infinite-list/use-list-query'
import type { Payment } from '@/lib/api-contract/payments'
import type { MenuPlace } from './row-menu'

const loadMenu = async () => (await import('./row-menu')).RowMenu

type PaymentMenuProps = {
  list: RowList<Payment>
  /** Opens a row beside the list, where that is possible. */
  onOpen?: (key: string) => void
}

/** The menu of a row, by a secondary click, a long press or the menu key; links and marked text keep the browser's own. */
export function PaymentMenu({ list, onOpen }: PaymentMenuProps) {
  const mayCancel = use(MayCancel)
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const { part: Menu } = useAskedPart(place !== null, loadMenu, () => setPlace(null))
  const onContextMenu = useEffectEvent((event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : null
    const row = target?.closest<HTMLElement>('[data-scroller] [data-row-id]')
    const key = row?.dataset.rowId ?? ''
    const payment = list.get(key)
    if (!row || !payment || target?.closest('a[href]') || !getSelection()?.isCollapsed) return
    event.preventDefault()
    // The menu key has no place of its own.
    const box = row.getBoundingClientRect()
    const [x, y] = event.clientX || event.clientY ? [event.clientX, event.clientY] : [box.x + 48, box.bottom]
    setPlace({ key, payment, row, x, y })
  })
  useEffect(() => {
    const listen = (event: MouseEvent) => onContextMenu(event)
    document.addEventListener('contextmenu', listen)
    return () => document.removeEventListener('contextmenu', listen)
  }, [])
  if (!place || !Menu) return null
  const open = onOpen && (() => onOpen(place.key))
  return <Menu place={place} mayCancel={mayCancel} onOpen={open} onClose={() => setPlace(null)} />
}
