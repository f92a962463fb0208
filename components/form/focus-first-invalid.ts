/** Once what is wrong with a form is shown, leads to the first control that is marked; a message may stand at another one than what was sent. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    if (form?.querySelector('[aria-invalid="true"]:focus')) return
    form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  })
}
