import { FlaskConical } from 'lucide-react'
import { Badge } from '../ui/badge'

/** Marks what is not real money. Live payments carry no badge; what the service did not say is said so. */
export function TestBadge({ test }: { test: boolean | null }) {
  if (test === false) return null
  return (
    <Badge tone="caution">
      <FlaskConical aria-hidden="true" />
      {test ? 'Test' : 'Live or test: not said'}
    </Badge>
  )
}
