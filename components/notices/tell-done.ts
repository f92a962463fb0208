/**
 * Confirms a change that was made, such as "Customer saved", on whatever page comes next. What shows it is loaded
 * only now, and stands outside the page's own tree, so that no page carries it. Brief ones go soon and are not kept.
 */
export function tellDone(title: string, words?: string, options?: { isBrief: boolean }): void {
  // Without it the page itself still shows what has become of the change.
  import('./notice-root').then(({ showNotice }) => showNotice({ title, words, ...options })).catch(() => undefined)
}
