import { useState } from 'react'
import { getPageUser } from './page-context'
import { listStoredKeys, readStored, writeStored } from './storage'

/*
 * What somebody typed and has not sent yet, what they sent without a reply, and what the next page is to confirm, kept in
 * this tab: it is there again after Back, a reload and an ended session, but only for them: another person may be the next
 * to sign in. Signing out forgets it.
 */

const PREFIX = 'debitdesk-kept '

const toStorageKey = (key: string) => `${PREFIX}${getPageUser() ?? ''} ${key}`

/** What is kept under a key; undefined if nothing is. Browser only. */
export function readKept(key: string): unknown {
  const stored = readStored('sessionStorage', toStorageKey(key))
  if (stored === null) return undefined
  try {
    return JSON.parse(stored)
  } catch {
    return undefined
  }
}

/** Keeps a value that JSON can hold under a key. */
export function keep(key: string, value: unknown): void {
  writeStored('sessionStorage', toStorageKey(key), JSON.stringify(value))
}

/** Forgets what was kept under a key. */
export function forgetText(key: string): void {
  writeStored('sessionStorage', toStorageKey(key), null)
}

/** The text that was kept under a key, which forgets it; null if there is none. */
export function takeText(key: string): string | null {
  const kept = readKept(key)
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
    const kept = readKept(key)
    return isValue(kept) ? kept : initial
  })
  const change = (next: Value) => {
    setValue(next)
    keep(key, next)
  }
  return [value, change]
}

/** A request that got no reply yet: its body as JSON and its key. */
export type KeptRequest = { text: string; key: string }

/** Whether a kept value is a request. */
export function isKeptRequest(kept: unknown): kept is KeptRequest {
  const { text, key } = (kept ?? {}) as { text?: unknown; key?: unknown }
  return isText(text) && isText(key)
}

/** Whether a kept value is a text. */
export const isText = (kept: unknown): kept is string => typeof kept === 'string'
