declare const minted: unique symbol

/** The merchant that a request may touch. Branded: only the session gate mints one, from the store. */
export type Scope = { readonly connectionId: string; readonly [minted]: true }

/** Mints a scope. For `session.ts` alone (and tests), after the membership was read from the store. */
export function mintScope(connectionId: string): Scope {
  return { connectionId } as Scope
}
