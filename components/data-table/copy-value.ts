import { tellDone } from '../notices/tell-done'

/** Copies an id or a handle, and says so. */
export async function copyValue(value: string): Promise<void> {
  try {
    // Browsers hide the clipboard from pages on plain http.
    await navigator.clipboard.writeText(value)
    tellDone('Copied', value, { isBrief: true })
  } catch {
    tellDone('Not copied', 'The browser did not allow it.', { isBrief: true })
  }
}
