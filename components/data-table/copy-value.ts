import { tellDone } from '../notices/tell-done'
import * as words from '@/lib/words/lists'

/** Copies an id or a handle, and says so. */
export async function copyValue(value: string): Promise<void> {
  try {
    // Browsers hide the clipboard from pages on plain http.
    await navigator.clipboard.writeText(value)
    tellDone(words.copied, value, { isBrief: true })
  } catch {
    tellDone(words.notCopied, words.browserDidNotAllowIt, { isBrief: true })
  }
}
