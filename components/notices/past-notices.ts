/** A confirmation that was shown; `at` is a moment. */
export type PastNotice = { title: string; words: string; at: string }

const most = 50
const kept: PastNotice[] = []

/** The confirmations since the page was loaded, the latest first: a load, and so another user, begins with none. */
export function readPastNotices(): readonly PastNotice[] {
  return kept
}

/** Keeps a confirmation, so that it can be read again. */
export function keepNotice(notice: PastNotice): void {
  kept.unshift(notice)
  kept.splice(most)
}
