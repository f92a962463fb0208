/** A confirmation that was shown, or what came of a cancellation; `at` is a moment. */
export type PastNotice = { title: string; words: string; at: string }

const most = 50
const kept: PastNotice[] = []

/** Those since the page was loaded, the latest first: a load, and so another user, begins with none. */
export function readPastNotices(): readonly PastNotice[] {
  return kept
}

/** Keeps one, so that it can be read again. */
export function recordNotice(notice: PastNotice): void {
  kept.unshift(notice)
  kept.splice(most)
}

type Notice = {
  title: string
  words: string
  /** `brief`: of the moment alone, it goes soon and is not kept. `fault`: it stays until somebody closes it. */
  kind: 'done' | 'brief' | 'fault'
}

const untold: Notice[] = []
const listeners = new Set<() => void>()

function tell(notice: Notice): void {
  untold.push(notice)
  if (notice.kind !== 'brief') recordNotice({ title: notice.title, words: notice.words, at: new Date().toISOString() })
  for (const listener of listeners) listener()
}

/** Confirms a change that was made, such as "Customer saved", on whatever page comes next: `Notices` in the shell shows it. */
export function showToast(title: string, words = '', { isBrief } = { isBrief: false }): void {
  tell({ title, words, kind: isBrief ? 'brief' : 'done' })
}

/** Tells of a fault whose place has gone: whoever asked went on before the answer came. */
export function showErrorToast(title: string, words: string): void {
  tell({ title, words, kind: 'fault' })
}

/** What is still to be shown, once. */
export function takePendingToasts(): readonly Notice[] {
  return untold.splice(0)
}

export function hasPendingToasts(): boolean {
  return untold.length > 0
}

/** Forgets what is still to be shown, but for faults. */
export function dropConfirmations(): void {
  untold.push(...untold.splice(0).filter(({ kind }) => kind === 'fault'))
}

/** Has `listener` called whenever there is something to show. Answers how to end that. */
export function onToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
