'use client'

import { type CSSProperties, type FocusEvent, type UIEvent, useRef, useState } from 'react'

const PHONE = '(width < 48rem) and (height > 30rem)'

/** A scroll up by fewer pixels in one event is a trembling thumb. */
const MIN_WAY_UP_PX = 6

const isScroller = (target: EventTarget): target is HTMLElement =>
  target instanceof HTMLElement && target.matches('.dt-scroller')

/**
 * On a phone, what stands above a list makes way while one scrolls down, and returns on the way up or when it gets the
 * focus. For the list's page; data-table.css moves it.
 */
export function useFoldingHead() {
  const [headHeight, setHeadHeight] = useState(0)
  const lastTop = useRef<number | null>(null)

  function onScrollCapture({ currentTarget: page, target: scroller }: UIEvent<HTMLElement>): void {
    if (!isScroller(scroller) || !matchMedia(PHONE).matches) return
    const { scrollTop, scrollHeight, clientHeight, offsetTop } = scroller
    const way = scrollTop - (lastTop.current ?? scrollTop)
    lastTop.current = scrollTop
    const head = headHeight || offsetTop - page.offsetTop
    if (way < -MIN_WAY_UP_PX || scrollTop < head) setHeadHeight(0)
    // Near the end the taller list would have nothing to scroll.
    else if (way > 0 && scrollHeight - clientHeight - scrollTop > head) setHeadHeight(head)
  }

  return {
    'data-folded': headHeight > 0 ? '' : undefined,
    style: { '--dt-head': `${headHeight}px` } as CSSProperties,
    onScrollCapture,
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      if (!target.closest('.dt-scroller')) setHeadHeight(0)
    },
  }
}
