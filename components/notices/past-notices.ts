/** A confirmation that was shown, or what came of a cancellation; `at` is a moment. */
export type PastNotice = { title: string; words: string; at: string }

const most = 50
const kept: PastNotice[] = []

/** Those since the page was loaded, the latest first: a load, and so another user, begins with none. */
export function readPastNotices(): readonly PastNotice[] {
  return kept
}

/** Keeps one, so that it can be read again. */
export function keepNotice(notice: PastNotice): void {
  kept.unshift(notice)
  kept.splice(most)
}
