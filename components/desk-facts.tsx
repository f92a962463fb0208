'use client'

import { createContext, type ReactNode, useContext } from 'react'

/** Settings of the desk that decide how values are shown; the same on the server and in the browser. */
export type DeskFacts = {
  /** The unit of amounts (`UPSTREAM_AMOUNTS`). */
  amounts: 'minor' | 'hundredths' | 'major'
  /** IANA name of the zone of business dates (`SCHEME_ZONE`). */
  schemeZone: string
  /** Payment states that may be cancelled, that mean cancelled, and that otherwise end it; in lower case. */
  states: { cancellable: readonly string[]; cancelled: readonly string[]; final: readonly string[] }
  /** The one language of the desk so far; formatting takes it by parameter. */
  locale: string
}

const Facts = createContext<DeskFacts | null>(null)

export function DeskFactsProvider({ facts, children }: { facts: DeskFacts; children: ReactNode }) {
  return <Facts value={facts}>{children}</Facts>
}

/** The facts of the desk; only inside the `(desk)` layout. */
export function useDeskFacts(): DeskFacts {
  const facts = useContext(Facts)
  if (!facts) throw new Error('useDeskFacts needs the DeskFactsProvider of app/(desk)/layout')
  return facts
}
