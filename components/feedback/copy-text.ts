import * as m from '@/lib/messages/m'
import { showErrorToast } from './toast-store'

/** Copies a text; where the browser refuses, a toast says so. Returns whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Browsers hide the clipboard from pages on plain http.
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    showErrorToast(m.lists_notCopied(), m.lists_browserDidNotAllowIt(), { isBrief: true })
    return false
  }
}
