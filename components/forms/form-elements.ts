import type { MouseEvent } from 'react'

/** The text fields of a form, as typed. */
export function readFormFields(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Once what is wrong with a form is shown, leads to the first control that is marked; a message may stand at another one than what was sent. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    if (form?.querySelector('[aria-invalid="true"]:focus')) return
    form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  })
}

/**
 * For `onMouseDown` of what leaves a form: the field keeps the focus until the click. Else leaving it would mark it as
 * empty, and what is said of that would move the button from under the pointer before it is let go.
 */
export function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}
