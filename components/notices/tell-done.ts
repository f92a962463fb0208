import { keepNotice } from './past-notices'

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
  if (notice.kind !== 'brief') keepNotice({ title: notice.title, words: notice.words, at: new Date().toISOString() })
  for (const listener of listeners) listener()
}

/** Confirms a change that was made, such as "Customer saved", on whatever page comes next: `Notices` in the shell shows it. */
export function tellDone(title: string, words = '', { isBrief } = { isBrief: false }): void {
  tell({ title, words, kind: isBrief ? 'brief' : 'done' })
}

/** Tells of a fault whose place has gone: whoever asked went on before the answer came. */
export function tellFault(title: string, words: string): void {
  tell({ title, words, kind: 'fault' })
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
