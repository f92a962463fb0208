'use client'

import { type RefObject, useEffect, useRef } from 'react'
import * as m from '@/lib/messages/m'
import type { RowList } from '../infinite-list/use-list-query'
import { Button } from '../ui/button'

type LoadMoreProps = {
  list: Pick<RowList<unknown>, 'pagination' | 'size' | 'loadMore'>
  /** What gets the focus once there is no more, and no button. */
  timeline: RefObject<HTMLElement | null>
  className: string
}

/** The button that loads more of a timeline. It stays while that happens, for it may have the focus. */
export function LoadMore({ list: { pagination, size, loadMore }, timeline, className }: LoadMoreProps) {
  const isShown = pagination.kind === 'more' || (pagination.kind === 'loading' && size > 0)
  const wasShown = useRef(isShown)
  useEffect(() => {
    if (wasShown.current && !isShown && document.activeElement === document.body)
      timeline.current?.focus({ preventScroll: true })
    wasShown.current = isShown
  }, [isShown, timeline])
  return isShown ? (
    <Button size="small" className={className} onClick={() => loadMore()}>
      {m.activity_loadMore()}
    </Button>
  ) : null
}
