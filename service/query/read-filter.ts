import type { Filter } from '@/lib/contract/filter'
import { listShapes } from './list-fields'
import { parseFilter } from './parse-filter'
import { SyntaxProblem } from './tokenize'

/** A filter of payments before its list is planned; null for none and for one that planList will refuse in the reader's own words. */
export function readFilter(source: string | undefined): Filter | null {
  if (!source) return null
  try {
    return parseFilter(source, listShapes.listPayments.kinds)
  } catch (error) {
    if (error instanceof SyntaxProblem) return null
    throw error
  }
}
