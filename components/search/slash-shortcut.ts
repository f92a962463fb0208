import { readStored, writeStored } from '@/lib/client/storage'

const key = 'debitdesk-slash'

/** Whether a slash leads to the search on this device: a single key, so that it can be switched off (WCAG 2.1.4). */
export function usesSlash(): boolean {
  return readStored('localStorage', key) !== 'off'
}

/** Stores the choice, where the browser allows it. */
export function setUsesSlash(isOn: boolean): void {
  writeStored('localStorage', key, isOn ? null : 'off')
}
