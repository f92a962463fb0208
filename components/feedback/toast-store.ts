/** A past confirmation or cancellation outcome; `at` is an ISO timestamp. */
export type PastNotice = { title: string; words: string; at: string }

const most = 50
const kept: PastNotice[] = []

/** Notices since the page load, newest first: a load, and with it another user, starts empty. */
export function readPastNotices(): readonly PastNotice[] {
  return kept
}

/** Records a notice, so that it can be read again. */
export function recordNotice(notice: PastNotice): void {
  kept.unshift(notice)
  kept.splice(most)
}

type Notice = {
  title: string
  words: string
  /** `brief` disappears soon and is not recorded; `fault` stays until closed. */
  kind: 'done' | 'brief' | 'fault'
}

const untold: Notice[] = []
const listeners = new Set<() => void>()

function tell(notice: Notice): void {
  untold.push(notice)
  if (notice.kind !== 'brief') recordNotice({ title: notice.title, words: notice.words, at: new Date().toISOString() })
  for (const listener of listeners) listener()
}

/** Confirms a change, such as "Customer saved", on whatever page comes next: `Toaster` in the shell shows it. */
export function showToast(title: string, words = '', { isBrief } = { isBrief: false }): void {
  tell({ title, words, kind: isBrief ? 'brief' : 'done' })
}

/** Reports an error whose page or dialog was left before the reply came. */
export function showErrorToast(title: string, words: string): void {
  tell({ title, words, kind: 'fault' })
}

/** Takes the toasts not shown yet. */
export function takePendingToasts(): readonly Notice[] {
  return untold.splice(0)
}

export function hasPendingToasts(): boolean {
  return untold.length > 0
}

/** Drops pending toasts except faults. */
export function dropConfirmations(): void {
  untold.push(...untold.splice(0).filter(({ kind }) => kind === 'fault'))
}

/** Subscribes to new toasts; returns the unsubscribe function. */
export function onToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
