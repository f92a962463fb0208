import type { MouseEvent } from 'react'

/**
 * For `onMouseDown` of what leaves a form: the field keeps the focus until the click. Else leaving it would mark it as
 * empty, and what is said of that would move the button from under the pointer before it is let go.
 */
export function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}
