import { FlaskConical } from 'lucide-react'
import * as words from '@/lib/words/mode'
import { Badge } from '../ui/badge'

/** The same without a word in sight, for a row too narrow for its column. */
export function TestMark() {
  return (
    <span title={words.test} className="dt-test">
      <FlaskConical aria-hidden="true" />
      <span className="sr-only">{words.test}</span>
    </span>
  )
}

/** Marks what is not real money. Live payments carry no badge; what the service did not say is said so. */
export function TestBadge({ test }: { test: boolean | null }) {
  if (test === false) return null
  return (
    <Badge tone="caution">
      <FlaskConical aria-hidden="true" />
      {test ? words.test : words.notSaid}
    </Badge>
  )
}
