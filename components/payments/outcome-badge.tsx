import type { ReactNode } from 'react'
import type { CancellationView, Outcome } from '@/lib/contract/cancellation'
import { describeOutcome, isInLine, nameOutcome } from '@/lib/format/outcome'
import { badgeClasses, type Tone } from '../ui/badge'

type ShownOutcome = Pick<CancellationView, 'outcome' | 'reason' | 'detail'>

const faces: Record<Outcome, { tone: Tone; mark: string }> = {
  sending: { tone: 'progress', mark: 'mark-send' },
  requested: { tone: 'progress', mark: 'mark-hourglass' },
  cancelled: { tone: 'positive', mark: 'mark-check' },
  'not-cancelled': { tone: 'negative', mark: 'mark-cross' },
  unknown: { tone: 'caution', mark: 'mark-question' },
  'needs-person': { tone: 'negative', mark: 'mark-hand' },
}

const waiting = { tone: 'planned', mark: 'mark-hourglass' } as const

/**
 * What became of a cancellation, in one of the six words, or that it waits; why stands in its title. A plain function,
 * for cells of lists.
 */
export function outcomeBadge(view: ShownOutcome): ReactNode {
  const { tone, mark } = isInLine(view) ? waiting : faces[view.outcome]
  return (
    <span
      className={badgeClasses(tone, `mark ${mark}`)}
      data-outcome={view.outcome}
      title={describeOutcome(view) ?? undefined}
    >
      {nameOutcome(view)}
    </span>
  )
}

/** The same, elsewhere. */
export function OutcomeBadge({ view }: { view: ShownOutcome }) {
  return outcomeBadge(view)
}
