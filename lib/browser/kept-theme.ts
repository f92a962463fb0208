/** The theme that was chosen on this device; null where none was, or the browser keeps nothing. */
export function readTheme(): string | null {
  try {
    return window.localStorage.getItem('theme')
  } catch {
    return null
  }
}

/** Keeps the theme on this device, where the browser lets it. */
export function writeTheme(theme: string): void {
  try {
    window.localStorage.setItem('theme', theme)
  } catch {
    // A browser that keeps no theme must hold up nothing.
  }
}
