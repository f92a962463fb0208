import type { MouseEvent } from 'react'

/** The text values of a form. */
export function readFormFields(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Focuses the first invalid control once errors are rendered; it may be another one than the submitted field. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    if (form?.querySelector('[aria-invalid="true"]:focus')) return
    form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  })
}

/** Focuses the first filter of a list: what clears the filters disappears with them. */
export function focusFirstFilter(list: Element | null): void {
  list?.querySelector<HTMLElement>('.dt-filter-strip :is(button, select)')?.focus()
}

/**
 * For `onMouseDown` of links that leave a form: the field keeps the focus until the click. Otherwise its blur would
 * show an error that moves the link from under the pointer.
 */
export function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}
