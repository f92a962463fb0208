import { useState } from 'react'
import { getPageUser } from './page-context'

/*
 * What somebody typed and has not sent yet, kept in this tab: it is there again after Back, a reload and an ended
 * session, but only for whoever typed it: another person may be the next to sign in. Signing out forgets it.
 */

const PREFIX = 'debitdesk-kept '

const toStorageKey = (key: string) => `${PREFIX}${getPageUser() ?? ''} ${key}`

function read(key: string): unknown {
  try {
    const stored = window.sessionStorage.getItem(toStorageKey(key))
    return stored === null ? undefined : JSON.parse(stored)
  } catch {
    return undefined
  }
}

function write(key: string, value: unknown): void {
  try {
    window.sessionStorage.setItem(toStorageKey(key), JSON.stringify(value))
  } catch {
    // Storage is unavailable or full: the text lives as long as the page.
  }
}

/** Forgets what was kept under a key. */
export function forgetText(key: string): void {
  try {
    window.sessionStorage.removeItem(toStorageKey(key))
  } catch {
    // Storage is unavailable.
  }
}

/** Forgets everything, when somebody signs out. */
export function forgetAllTexts(): void {
  try {
    for (const key of Object.keys(window.sessionStorage)) {
      if (key.startsWith(PREFIX)) window.sessionStorage.removeItem(key)
    }
  } catch {
    // Storage is unavailable.
  }
}

/** State that is kept under a key. Only in components that the server does not render. `isValue` checks what was kept. */
export function useKept<Value>(
  key: string,
  initial: Value,
  isValue: (kept: unknown) => kept is Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => {
    const kept = read(key)
    return isValue(kept) ? kept : initial
  })
  const change = (next: Value) => {
    setValue(next)
    write(key, next)
  }
  return [value, change]
}

/** Whether a kept value is a text. */
export const isText = (kept: unknown): kept is string => typeof kept === 'string'
