import { keepNotice } from './past-notices'

type Notice = {
  title: string
  words: string
  /** Of the moment alone: it goes soon and is not kept. */
  isBrief: boolean
}

const untold: Notice[] = []
const listeners = new Set<() => void>()

/** Confirms a change that was made, such as "Customer saved", on whatever page comes next: `Notices` in the shell shows it. */
export function tellDone(title: string, words = '', { isBrief } = { isBrief: false }): void {
  untold.push({ title, words, isBrief })
  if (!isBrief) keepNotice({ title, words, at: new Date().toISOString() })
  for (const listener of listeners) listener()
}

/** What is still to be shown, once. */
export function takeUntold(): readonly Notice[] {
  return untold.splice(0)
}

/** Has `listener` called whenever there is something to show. Answers how to end that. */
export function onTold(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
