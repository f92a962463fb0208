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

/** Marks what is not real money. Live payments carry no badge; what the service did not say is said so. */
export function TestBadge({ test }: { test: boolean | null }) {
  if (test === false) return null
  return (
    <span className={badgeClasses('caution', 'badge-mark badge-mark-flask')}>{test ? words.test : words.notSaid}</span>
  )
}
