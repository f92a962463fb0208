/*
 * Whether the reader came to the present address through Back or Forward. A link to the same address is
 * a new visit and starts at the top; only a traversal finds the list as it was left.
 */

let traversedTo: string | null = null

function currentAddress(): string {
  return location.pathname + location.search
}

if (typeof window !== 'undefined') {
  // Before Next's own listener: it renders the page that was gone back to.
  addEventListener('popstate', () => (traversedTo = currentAddress()), { capture: true })
  for (const type of ['click', 'keydown'] as const) {
    addEventListener(type, () => (traversedTo = null), { capture: true, passive: true })
  }
}

/** True while the page of the last Back or Forward is still the present one and nothing was clicked since. */
export function isTraversal(): boolean {
  return typeof window !== 'undefined' && traversedTo !== null && traversedTo === currentAddress()
}
