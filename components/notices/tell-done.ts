import { keepNotice } from './past-notices'

/** How long a brief one stays, in milliseconds. */
const briefly = 4_000

/** Confirms a change that was made, such as "Customer saved", on whatever page comes next. Brief ones go soon and are not kept. */
export function tellDone(title: string, words?: string, { isBrief } = { isBrief: false }): void {
  if (!isBrief) keepNotice({ title, words: words ?? '', at: new Date().toISOString() })
  const notice = { title, description: words, ...(isBrief && { timeout: briefly }) }
  // Without what shows it, the page itself still tells what has become of the change.
  import('./notices').then(({ noticeManager }) => noticeManager.add(notice)).catch(() => undefined)
}
