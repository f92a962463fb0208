'use client'

import type { RefObject } from 'react'
import { useFocusLost } from '@/lib/client/page-lifecycle'
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
export function LoadMore(props: LoadMoreProps) {
  const { pagination, loaded } = props.list
  const isShown = pagination.kind === 'more' || (pagination.kind === 'loading' && loaded > 0)
  return isShown ? <LoadMoreButton {...props} /> : null
}

function LoadMoreButton({ list, className, heir, onPress }: LoadMoreProps) {
  const button = useFocusLost<HTMLButtonElement>(() => heir.current?.focus({ preventScroll: true }))
  return (
    <Button
      ref={button}
      size="small"
      className={className}
      onClick={({ currentTarget }) => {
        // Safari gives a pressed button no focus.
        currentTarget.focus()
        onPress?.()
        list.loadMore()
      }}
    >
      {m.lists_loadMore()}
    </Button>
  )
}
