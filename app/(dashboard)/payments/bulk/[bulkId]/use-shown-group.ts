'use client'

import { useSearchParams } from 'next/navigation'
import { useState } from 'react'

/**
 * Which rows are shown, by a value that they have and that is a chip; null shows all. It stands in the address, for who comes
 * back. `usual` is what an address without it shows.
 */
export function useShownGroup(
  name: 'verdict' | 'outcome',
  usual: string | null = null,
): [string | null, (value: string | null) => void] {
  const asked = useSearchParams().get(name)
  const [shown, setShown] = useState(asked === 'all' ? null : (asked ?? usual))
  function show(value: string | null): void {
    setShown(value)
    const query = new URLSearchParams(location.search)
    if (value === usual) query.delete(name)
    else query.set(name, value ?? 'all')
    const { pathname } = location
    history.replaceState(null, '', query.size === 0 ? pathname : `${pathname}?${query.toString()}`)
  }
  return [shown, show]
}
