/** How often Next is waited for, a few milliseconds each time. */
const mostTurns = 100

/**
 * Writes the address once Next follows it: Next takes `history.pushState` and `replaceState` for its own, so that no request
 * is made and `useSearchParams` follows. It does from an effect, and a press that has React take the page over comes before that.
 */
export function whenFollowed(write: () => void, turns = mostTurns): void {
  if (turns === 0 || Object.hasOwn(history, 'pushState')) write()
  else setTimeout(() => whenFollowed(write, turns - 1))
}
