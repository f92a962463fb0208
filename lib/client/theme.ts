import { useSyncExternalStore } from 'react'
import { themeKey } from './theme-script'

/*
 * The theme is the device's, kept in its storage. `data-theme` on the page marks light or dark; without it the
 * style sheets follow the system. Ours rather than next-themes: the style sheets leave no more to do than this.
 */

export type Theme = 'light' | 'dark' | 'system'

/** The theme that was chosen on this device; null where none was, or the browser keeps nothing. */
export function readTheme(): Theme | null {
  try {
    const kept = window.localStorage.getItem(themeKey)
    return kept === 'light' || kept === 'dark' || kept === 'system' ? kept : null
  } catch {
    return null
  }
}

/** Keeps the theme on this device, where the browser lets it. */
export function writeTheme(theme: Theme): void {
  try {
    window.localStorage.setItem(themeKey, theme)
  } catch {
    // A browser that keeps no theme must hold up nothing.
  }
}

const listeners = new Set<() => void>()

function showTheme(theme: Theme | null): void {
  const { dataset } = document.documentElement
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  else delete dataset.theme
  for (const notify of listeners) notify()
}

/** Shows what is chosen in other tabs as well, until the returned function is called. */
export function followTheme(): () => void {
  const follow = (event: StorageEvent) => {
    if (event.key === themeKey) showTheme(readTheme())
  }
  // React takes the mark away when it has to draw the whole page anew.
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

/** The theme of the page, null on the server, and what chooses another. */
export function useTheme(): [Theme | null, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, readShown, () => null)
  const choose = (chosen: Theme) => {
    writeTheme(chosen)
    showTheme(chosen)
  }
  return [theme, choose]
}
