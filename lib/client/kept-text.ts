import { useState } from 'react'
import { getPageUser } from './page-context'
import { listStoredKeys, readStored, writeStored } from './storage'

/*
 * What somebody typed and has not sent yet, kept in this tab: it is there again after Back, a reload and an ended
 * session, but only for whoever typed it: another person may be the next to sign in. Signing out forgets it.
 */

const PREFIX = 'debitdesk-kept '

const toStorageKey = (key: string) => `${PREFIX}${getPageUser() ?? ''} ${key}`

function read(key: string): unknown {
  const stored = readStored('sessionStorage', toStorageKey(key))
  if (stored === null) return undefined
  try {
    return JSON.parse(stored)
  } catch {
    return undefined
  }
}

/** Forgets what was kept under a key. */
export function forgetText(key: string): void {
  writeStored('sessionStorage', toStorageKey(key), null)
}

/** Keeps a text for the page that is loaded next. */
export function keepText(key: string, text: string): void {
  writeStored('sessionStorage', toStorageKey(key), JSON.stringify(text))
}

/** The text that was kept under a key, which forgets it; null if there is none. */
export function takeText(key: string): string | null {
  const kept = read(key)
  forgetText(key)
  return isText(kept) ? kept : null
}

/** Forgets everything, when somebody signs out. */
export function forgetAllTexts(): void {
  for (const key of listStoredKeys('sessionStorage'))
    if (key.startsWith(PREFIX)) writeStored('sessionStorage', key, null)
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
    writeStored('sessionStorage', toStorageKey(key), JSON.stringify(next))
  }
  return [value, change]
}

/** Whether a kept value is a text. */
export const isText = (kept: unknown): kept is string => typeof kept === 'string'
