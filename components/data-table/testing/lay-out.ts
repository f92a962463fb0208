import { vi } from 'vitest'

/** Pixels: what a list's scroller is high in tests; ten rows of 44. */
const height = 440
/** Pixels: an entry of the activity log. */
const entryHeight = 57

/**
 * The layout that jsdom has none of, until `vi.restoreAllMocks` and `vi.unstubAllGlobals`: every element is as high as a
 * scroller or an entry, nothing changes its size, and what is scrolled says so.
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
  Element.prototype.scrollTo = function scrollTo(this: Element, to?: ScrollToOptions | number) {
    this.scrollTop = typeof to === 'object' ? (to.top ?? 0) : 0
    // A browser tells of it with the next frame.
    setTimeout(() => this.dispatchEvent(new Event('scroll')))
  }
  Element.prototype.scrollIntoView = () => undefined
  Element.prototype.checkVisibility = () => true
}
