'use client'

import { CircleCheck, CircleHelp, CircleX, Hand, Hourglass, type LucideIcon, Send } from 'lucide-react'
import type { CancellationView, Outcome } from '@/lib/contract/cancellation'
import { describeOutcome, isInLine, nameOutcome } from '@/lib/format/outcome'
import { Badge, type Tone } from '../ui/badge'

const faces: Record<Outcome, { tone: Tone; icon: LucideIcon }> = {
  sending: { tone: 'progress', icon: Send },
  requested: { tone: 'progress', icon: Hourglass },
  cancelled: { tone: 'positive', icon: CircleCheck },
  'not-cancelled': { tone: 'negative', icon: CircleX },
  unknown: { tone: 'caution', icon: CircleHelp },
  'needs-person': { tone: 'negative', icon: Hand },
}

const waiting = { tone: 'planned', icon: Hourglass } as const

/** What became of a cancellation, in one of the six words, or that it waits; why stands in its title. */
export function OutcomeBadge({ view }: { view: Pick<CancellationView, 'outcome' | 'reason' | 'detail'> }) {
  const { tone, icon: Icon } = isInLine(view) ? waiting : faces[view.outcome]
  return (
    <Badge tone={tone} data-outcome={view.outcome} title={describeOutcome(view) ?? undefined}>
      <Icon aria-hidden="true" />
      {nameOutcome(view)}
    </Badge>
  )
}
