'use client'

import { type RefObject, useEffect, useRef } from 'react'
import * as m from '@/lib/messages/m'
import { Button } from '../ui/button'
import type { RowList } from './use-list-query'

type LoadMoreProps = {
  list: Pick<RowList<unknown>, 'pagination' | 'loaded' | 'loadMore'>
  className: string
  /** What gets the focus once there is no more, and no button. */
  heir: RefObject<HTMLElement | null>
  onPress?: () => void
}

/** The button that loads more of a list. It stays while that happens, for it may have the focus. */
export function LoadMore({ list: { pagination, loaded, loadMore }, className, heir, onPress }: LoadMoreProps) {
  const isShown = pagination.kind === 'more' || (pagination.kind === 'loading' && loaded > 0)
  // The browser drops the focus with the button.
  const isFocused = useRef(false)
  useEffect(() => {
    if (isShown || !isFocused.current) return
    isFocused.current = false
    if (document.activeElement === document.body) heir.current?.focus({ preventScroll: true })
  }, [isShown, heir])
  return isShown ? (
    <Button
      size="small"
      className={className}
      onClick={() => {
        // Safari gives a pressed button no focus.
        isFocused.current = true
        onPress?.()
        loadMore()
      }}
      onFocus={() => (isFocused.current = true)}
      // A window that loses the focus keeps its active element.
      onBlur={({ currentTarget }) => (isFocused.current = document.activeElement === currentTarget)}
    >
      {m.lists_loadMore()}
    </Button>
  ) : null
}
