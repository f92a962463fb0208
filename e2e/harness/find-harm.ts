import type { Page } from '@playwright/test'

/** What hostile data has done to a page: each a word of what went wrong. */
export function findHarm(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const harm: string[] = []
    if ('__xss' in window) harm.push('a script ran')
    if ('polluted' in {}) harm.push('the prototype of all objects was changed')
    for (const link of document.querySelectorAll('a[href], area[href]')) {
      const address = link.getAttribute('href') ?? ''
      if (!/^(?:\/(?!\/)|#|https?:\/\/)/u.test(address)) harm.push(`a link leads to ${address}`)
    }
    const foreign =
      'img[src="x"], iframe, object, embed, base, marquee, svg script, [onerror], [onload], [onfocus], [onclick]'
    for (const element of document.querySelectorAll(foreign))
      harm.push(`an element was made: ${element.outerHTML.slice(0, 90)}`)
    for (const name of ['attributes', 'cookie', 'body', '__proto__'])
      if (document.querySelector(`[id="${name}"], [name="${name}"]`)) harm.push(`an element is called ${name}`)
    return harm
  })
}
