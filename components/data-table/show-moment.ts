const tip = document.createElement('div')
tip.id = 'dt-moment'
tip.role = 'tooltip'
tip.popover = 'manual'
tip.className = 'dt-moment'

let shown: HTMLTimeElement | null = null

function hide(): void {
  if (!shown) return
  // The browser's own tip was taken away while ours stood, unless the cell shows another date by now.
  if (!shown.title) shown.title = tip.textContent ?? ''
  shown.removeAttribute('aria-describedby')
  shown = null
  tip.remove()
}

/** Gone once neither the pointer nor the focus is at the date or, for the pointer, at what is shown (WCAG 1.4.13). */
function look(): void {
  if (shown && document.activeElement !== shown && !shown.matches(':hover') && !tip.matches(':hover')) hide()
}

addEventListener('keydown', (event) => {
  if (event.key === 'Escape') hide()
})
addEventListener('scroll', hide, { capture: true, passive: true })
// What a press opens may lie over the date.
addEventListener('pointerdown', hide, { capture: true, passive: true })
addEventListener('focusout', () => setTimeout(look))
addEventListener('pointermove', look, { passive: true })

/** Shows the full moment of a short date, with its zone, while the pointer or the focus is there. */
export function showMoment(date: HTMLTimeElement): void {
  if (shown === date || !date.title || (document.activeElement !== date && !date.matches(':hover'))) return
  hide()
  shown = date
  tip.textContent = date.title
  date.removeAttribute('title')
  date.setAttribute('aria-describedby', tip.id)
  document.body.append(tip)
  const { left, bottom, top } = date.getBoundingClientRect()
  tip.showPopover()
  const { width, height } = tip.getBoundingClientRect()
  const below = bottom + 2
  tip.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
  tip.style.top = `${below + height > innerHeight ? top - height - 2 : below}px`
}
