import { vi } from 'vitest'

/** The scroller's height in pixels; ten rows of 44. */
const height = 440
/** The height of an activity log entry in pixels. */
const entryHeight = 57

/**
 * Fakes the layout that jsdom lacks, until `vi.restoreAllMocks` and `vi.unstubAllGlobals`: elements have the height
 * of a scroller or an entry, no media query matches, nothing resizes, and scrolling fires events.
 */
export function layOut(): void {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return this.matches('li') ? entryHeight : height
  })
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1_280)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(height)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      unobserve = () => undefined
      disconnect = () => undefined
    },
  )
  const stay = () => undefined
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: stay, removeEventListener: stay }))
  Element.prototype.scrollTo = function scrollTo(this: Element, to?: ScrollToOptions | number) {
    this.scrollTop = typeof to === 'object' ? (to.top ?? 0) : 0
    // Browsers fire it with the next frame.
    setTimeout(() => this.dispatchEvent(new Event('scroll')))
  }
  Element.prototype.scrollIntoView = () => undefined
  Element.prototype.checkVisibility = () => true
}
