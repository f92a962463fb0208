'use client'

import { useCallback } from 'react'
import { formatCount } from '@/lib/format/numbers'
import { useDeskFacts } from './desk-facts'

/** Writes a count as the reader's locale does. */
export type WriteCount = (count: number) => string

/** How counts are written here; only inside the `(desk)` layout. */
export function useCount(): WriteCount {
  const { locale } = useDeskFacts()
  return useCallback((count) => formatCount(count, locale), [locale])
}
