import type { CancellationView, Outcome } from '@/lib/domain/cancellations/cancellation'
import { isQueued, outcomeLabel } from '@/lib/domain/cancellations/cancellation-outcome'
import { nameScheme } from '@/lib/domain/schemes'
import { badgeClasses, type Tone } from '../ui/badge'
import { UntrustedText } from '../ui/untrusted-text'
import * as m from '@/lib/messages/m'

/** Marks a test payment with an icon only, for narrow columns. */
export function TestMark() {
  return (
    <span title={m.mode_test()} className="dt-test-mark badge-mark badge-mark-flask">
      <span className="sr-only">{m.mode_test()}</span>
    </span>
  )
}

/** Marks test payments, and those of unknown mode; live ones have no badge. */
export function TestBadge({ test }: { test: boolean | null }) {
  if (test === false) return null
  return (
    <span className={badgeClasses('caution', 'badge-mark badge-mark-flask')}>
      {test ? m.mode_test() : m.mode_notSaid()}
    </span>
  )
}

const OUTCOME_BADGES: Record<Outcome, { tone: Tone; mark: string }> = {
  sending: { tone: 'progress', mark: 'badge-mark-send' },
  requested: { tone: 'progress', mark: 'badge-mark-hourglass' },
  cancelled: { tone: 'positive', mark: 'badge-mark-check' },
  'not-cancelled': { tone: 'negative', mark: 'badge-mark-cross' },
  unknown: { tone: 'caution', mark: 'badge-mark-question' },
  'needs-person': { tone: 'negative', mark: 'badge-mark-hand' },
}

const QUEUED_BADGE = { tone: 'planned', mark: 'badge-mark-hourglass' } as const

type OutcomeBadgeProps = {
  view: Pick<CancellationView, 'outcome' | 'reason'>
  /** Why, as describeOutcome says it. */
  why: string | null
}

/** The outcome of a cancellation. Part of each list of payments, which the words of the reasons are not. */
export function OutcomeBadge({ view, why }: OutcomeBadgeProps) {
  const { tone, mark } = isQueued(view) ? QUEUED_BADGE : OUTCOME_BADGES[view.outcome]
  return (
    <span className={badgeClasses(tone, `badge-mark ${mark}`)} data-outcome={view.outcome} title={why ?? undefined}>
      {outcomeLabel(view)}
    </span>
  )
}

/** A scheme as people know it, with its code on hover; the code itself where the desk knows no name. */
export function SchemeName({ code }: { code: string }) {
  const name = nameScheme(code)
  return name === null ? <UntrustedText>{code}</UntrustedText> : <span title={code}>{name}</span>
}
