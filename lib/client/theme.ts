import { useSyncExternalStore } from 'react'
import { createEmitter } from './emitter'
import { readStored, writeStored } from './storage'
import { themeKey } from './theme-script'

/*
 * The theme is a setting of the device, kept in localStorage. `data-theme` on the document marks light or dark;
 * without it the style sheets follow the system. Ours rather than next-themes: the style sheets leave nothing else to
 * do.
 */

export type Theme = 'light' | 'dark' | 'system'

/** The theme chosen on this device; null if none was, or storage is unavailable. */
export function readTheme(): Theme | null {
  const stored = readStored('localStorage', themeKey)
  return stored === 'light' || stored === 'dark' || stored === 'system' ? stored : null
}

/** Stores the theme, where the browser allows it. */
export function writeTheme(theme: Theme): void {
  writeStored('localStorage', themeKey, theme)
}

const shown = createEmitter()

function showTheme(theme: Theme | null): void {
  const { dataset } = document.documentElement
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  else delete dataset.theme
  shown.tell()
}

/** Follows choices made in other tabs until the returned function is called. */
export function followTheme(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === themeKey) showTheme(readTheme())
  }
  // React removes `data-theme` when it re-renders the whole document.
  showTheme(readTheme())
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

function getShownTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** The page's theme (null on the server) and its setter. */
export function useTheme(): [Theme | null, (theme: Theme) => void] {
  const theme = useSyncExternalStore(shown.listen, getShownTheme, () => null)
  const setTheme = (chosen: Theme) => {
    writeTheme(chosen)
    showTheme(chosen)
  }
  return [theme, setTheme]
}
