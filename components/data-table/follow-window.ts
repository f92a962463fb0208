import type { ListPlace } from '@/lib/browser/list-memory'

/** Rows drawn beyond the edge that is scrolled towards, and beyond the other. */
const ahead = 8
const behind = 3
/** So many rows may be in sight where the height of the screen is not known: more than most screens have room for. */
export const rowsInSight = 28

/** Which rows of a list are drawn: from the one of index `start` to the one before `end`. */
export type RowWindow = { start: number; end: number }

type Input = {
  /** What scrolls: the header row covers its top. */
  scroller: HTMLElement
  /** Pixels. */
  rowHeight: number
  /** Where the reader is: gone to at first, written at every scroll. */
  place: ListPlace
  /** Told one past the last row in sight. */
  onReach: (end: number) => void
  /** Takes the window. `isScroll`: within the frame that is about to be painted. */
  draw: (next: RowWindow, isScroll: boolean) => void
}

/** Who has scrolled before the page's script ran stays where they are. */
export function keepScroll(scroller: HTMLElement, place: ListPlace): void {
  if (place.scrollTop === 0) place.scroll(scroller.scrollTop)
}

/** The window before the size of the scroller is known. */
export function beginWindow(place: ListPlace, rowHeight: number): RowWindow {
  const first = Math.floor(place.scrollTop / rowHeight)
  return { start: Math.max(0, first - behind), end: first + rowsInSight }
}

function measure(scroller: HTMLElement, head: number, rowHeight: number): { first: number; last: number } {
  const first = Math.floor(scroller.scrollTop / rowHeight)
  return { first, last: first + Math.ceil((scroller.clientHeight - head) / rowHeight) + 1 }
}

/**
 * Which rows of a list of fixed-height rows are drawn. The window follows the scroller within the same
 * frame: it is computed in the scroll event, which comes before painting. Answers how to stop.
 */
export function followWindow({ scroller, rowHeight, place, onReach, draw }: Input): () => void {
  scroller.scrollTo({ top: place.scrollTop, behavior: 'instant' })
  const head = scroller.firstElementChild
  let headHeight = head?.clientHeight ?? 0
  const follow = (above: number, below: number): RowWindow => {
    const { first, last } = measure(scroller, headHeight, rowHeight)
    place.scroll(scroller.scrollTop)
    onReach(last)
    return { start: Math.max(0, first - above), end: last + below }
  }
  let later: ReturnType<typeof setTimeout> | undefined
  const scroll = () => {
    const by = scroller.scrollTop - place.scrollTop
    // Whoever flies over the list by whole screens sees none of the rows beyond the edges: they come with the rest.
    const isFlight = Math.abs(by) > scroller.clientHeight
    // At the end there are none yet: they show as soon as they are there.
    const isAtEnd = scroller.scrollTop + scroller.clientHeight > scroller.scrollHeight - rowHeight
    // Who moves fast is as far again by the next frame.
    const lead = Math.max(ahead, Math.ceil((Math.abs(by) / rowHeight) * 1.25))
    const [above, below] = isFlight ? [0, isAtEnd ? ahead : 0] : by < 0 ? [lead, behind] : [behind, lead]
    draw(follow(above, below), true)
    clearTimeout(later)
    if (isFlight) later = setTimeout(() => draw(follow(behind, ahead), false), 150)
  }
  draw(follow(behind, ahead), false)
  const resized = new ResizeObserver(() => {
    headHeight = head?.clientHeight ?? 0
    draw(follow(behind, ahead), false)
  })
  resized.observe(scroller)
  if (head) resized.observe(head)
  scroller.addEventListener('scroll', scroll, { passive: true })
  return () => {
    clearTimeout(later)
    resized.disconnect()
    scroller.removeEventListener('scroll', scroll)
  }
}
