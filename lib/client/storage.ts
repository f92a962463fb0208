/* The browser's storage, which may be unavailable or full: then nothing is stored. */

type Area = 'localStorage' | 'sessionStorage'

/** What is stored under a key; null if nothing is. */
export function readStored(area: Area, key: string): string | null {
  try {
    return window[area].getItem(key)
  } catch {
    return null
  }
}

/** Stores a value, or with null removes it. */
export function writeStored(area: Area, key: string, value: string | null): void {
  try {
    if (value === null) window[area].removeItem(key)
    else window[area].setItem(key, value)
  } catch {
    // What was to be stored lives as long as the page.
  }
}

export function listStoredKeys(area: Area): string[] {
  try {
    return Object.keys(window[area])
  } catch {
    return []
  }
}
