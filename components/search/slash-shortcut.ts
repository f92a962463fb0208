const key = 'debitdesk-slash'

/** Whether a slash leads to the search on this device: a single key, so that it can be switched off (WCAG 2.1.4). */
export function usesSlash(): boolean {
  try {
    return window.localStorage.getItem(key) !== 'off'
  } catch {
    return true
  }
}

/** Stores the choice, where the browser allows it. */
export function setUsesSlash(isOn: boolean): void {
  try {
    if (isOn) window.localStorage.removeItem(key)
    else window.localStorage.setItem(key, 'off')
  } catch {
    // Storage is unavailable: the shortcut stays as it is.
  }
}
