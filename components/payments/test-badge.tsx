import type { ReactNode } from 'react'
import * as words from '@/lib/words/mode'
import { badgeClasses } from '../ui/badge'

/** Marks a row that is not real money without a word in sight, for one too narrow for its column. */
export function TestMark() {
  return (
    <span title={words.test} className="dt-test badge-mark badge-mark-flask">
      <span className="sr-only">{words.test}</span>
    </span>
  )
}

/**
 * Marks what is not real money. Live payments carry no badge; what the service did not say is said so. A plain function,
 * for cells of lists.
 */
export function testBadge(test: boolean | null): ReactNode {
  if (test === false) return null
  return (
    <span className={badgeClasses('caution', 'badge-mark badge-mark-flask')}>{test ? words.test : words.notSaid}</span>
  )
}

/** The same, elsewhere. */
export function TestBadge({ test }: { test: boolean | null }) {
  return testBadge(test)
}
