/** Milliseconds. The browser reads the file a moment after the click, later where it asks for a folder first. */
const KEPT_FOR_MS = 60_000

/** Has the browser save text that is in the page as a file. `type` is its media type, without the charset. */
export function saveFile(name: string, text: string, type: 'text/csv' | 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR_MS)
}
