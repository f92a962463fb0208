import { useSyncExternalStore } from 'react'
import { themeKey } from './theme-script'

/*
 * The theme is a setting of the device, kept in localStorage. `data-theme` on the document marks light or dark;
 * without it the style sheets follow the system. Ours rather than next-themes: the style sheets leave nothing else to
 * do.
 */

export type Theme = 'light' | 'dark' | 'system'

/** The theme chosen on this device; null if none was, or storage is unavailable. */
export function readTheme(): Theme | null {
  try {
    const kept = window.localStorage.getItem(themeKey)
    return kept === 'light' || kept === 'dark' || kept === 'system' ? kept : null
  } catch {
    return null
  }
}

/** Stores the theme, where the browser allows it. */
export function writeTheme(theme: Theme): void {
  try {
    window.localStorage.setItem(themeKey, theme)
  } catch {
    // Storage is unavailable: the theme applies to this page only.
  }
}

const listeners = new Set<() => void>()

function showTheme(theme: Theme | null): void {
  const { dataset } = document.documentElement
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  else delete dataset.theme
  for (const notify of listeners) notify()
}

/** Follows choices made in other tabs until the returned function is called. */
export function followTheme(): () => void {
  const follow = (event: StorageEvent) => {
    if (event.key === themeKey) showTheme(readTheme())
  }
  // React removes `data-theme` when it re-renders the whole document.
  showTheme(readTheme())
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

function readShown(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** The page's theme (null on the server) and its setter. */
export function useTheme(): [Theme | null, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, readShown, () => null)
  const choose = (chosen: Theme) => {
    writeTheme(chosen)
    showTheme(chosen)
  }
  return [theme, choose]
}
