'use client'

import { Tooltip } from '@base-ui/react/tooltip'
import { memo, type RefObject, useEffect, useState } from 'react'

function findDate(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('time[aria-description]') : null
}

/**
 * Shows the full timestamp of a grid's short dates on hover and focus (WCAG 1.4.13). One tooltip for all rows: a
 * trigger in each would cost every frame of a scroll.
 */
export const TimestampTooltip = memo(function TimestampTooltip({ grid }: { grid: RefObject<HTMLElement | null> }) {
  const [date, setDate] = useState<HTMLElement | null>(null)

  useEffect(() => {
    const element = grid.current
    if (!element) return undefined
    const listening = new AbortController()
    const { signal } = listening
    const show = ({ target }: Event) => setDate(findDate(target))
    // It is loaded on the first pointer or focus, which may be on a date already.
    setDate(element.querySelector<HTMLElement>('time[aria-description]:is(:hover, :focus)'))
    const hide = () => setDate(null)
    element.addEventListener('pointermove', show, { signal, passive: true })
    element.addEventListener('focusin', show, { signal })
    const leave = ({ relatedTarget }: PointerEvent) => {
      // The pointer may move onto the tooltip.
      if (!(relatedTarget instanceof Element && relatedTarget.closest('[role=tooltip]'))) hide()
    }
    element.addEventListener('pointerleave', leave, { signal })
    for (const end of ['focusout', 'pointerdown', 'scroll'] as const)
      element.addEventListener(end, hide, { signal, passive: true })
    return () => listening.abort()
  }, [grid])

  return (
    <Tooltip.Root open={date !== null} onOpenChange={(isOpen) => isOpen || setDate(null)}>
      <Tooltip.Portal>
        <Tooltip.Positioner anchor={date} side="bottom" align="start" sideOffset={0} className="z-50">
          <Tooltip.Popup role="tooltip" className="dt-timestamp-tooltip" onPointerLeave={() => setDate(null)}>
            {date?.getAttribute('aria-description')}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
})
