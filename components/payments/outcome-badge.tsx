import type { CancellationView, Outcome } from '@/lib/contract/cancellation'
import { describeOutcome, isInLine, nameOutcome } from '@/lib/format/outcome'
import { badgeClasses, type Tone } from '../ui/badge'

type ShownOutcome = Pick<CancellationView, 'outcome' | 'reason' | 'detail'>

const faces: Record<Outcome, { tone: Tone; mark: string }> = {
  sending: { tone: 'progress', mark: 'badge-mark-send' },
  requested: { tone: 'progress', mark: 'badge-mark-hourglass' },
  cancelled: { tone: 'positive', mark: 'badge-mark-check' },
  'not-cancelled': { tone: 'negative', mark: 'badge-mark-cross' },
  unknown: { tone: 'caution', mark: 'badge-mark-question' },
  'needs-person': { tone: 'negative', mark: 'badge-mark-hand' },
}

const waiting = { tone: 'planned', mark: 'badge-mark-hourglass' } as const

/** What became of a cancellation, in one of the six words, or that it waits; why stands in its title. */
export function OutcomeBadge({ view }: { view: ShownOutcome }) {
  const { tone, mark } = isInLine(view) ? waiting : faces[view.outcome]
  return (
    <span
      className={badgeClasses(tone, `badge-mark ${mark}`)}
      data-outcome={view.outcome}
      title={describeOutcome(view) ?? undefined}
    >
      {nameOutcome(view)}
    </span>
  )
}
