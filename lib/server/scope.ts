declare const minted: unique symbol

/** The merchant that a request may touch. Branded: only what has read the membership from the store mints one. */
export type Scope = { readonly connectionId: string; readonly [minted]: true }

/**
 * Mints a scope. For `session.ts` and what goes on with an owner's work later (`imports/resume-waiting.ts`) alone (and
 * tests), after the membership was read from the store.
 */
export function mintScope(connectionId: string): Scope {
  return { connectionId } as Scope
}
