/**
 * Puts elements of one parent into the order in which they are given. Those of the longest stretch that is in order
 * stay where they are, or those beside the focus: an element that is moved loses it.
 */
export function putInOrder(elements: readonly HTMLElement[]): void {
  const focused = elements.findIndex((element) => element.contains(document.activeElement))
  let [pivot, longest, start] = [0, 0, 0]
  for (const [place, element] of elements.entries()) {
    if (place > 0 && elements[place - 1]?.nextElementSibling !== element) start = place
    if (place - start >= longest) [pivot, longest] = [start, place - start + 1]
  }
  if (focused >= 0) pivot = focused
  for (let place = pivot - 1; place >= 0; place -= 1) {
    const [element, next] = [elements[place], elements[place + 1]]
    if (element && next && next.previousElementSibling !== element) next.before(element)
  }
  for (let place = pivot + 1; place < elements.length; place += 1) {
    const [element, before] = [elements[place], elements[place - 1]]
    if (element && before && before.nextElementSibling !== element) before.after(element)
  }
}
