'use client'

import { Circle, CircleCheck, CircleDashed, CircleX, Undo2 } from 'lucide-react'
import type { Milestone } from '@/lib/domain/payment-story'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { BusinessDate, Timestamp } from '../records/dates'
import { mergeClasses } from '../ui/merge-classes'

const stepNames: Record<Milestone['step'], Message> = {
  created: m.paymentStory_created,
  handOver: m.paymentStory_handOver,
  debited: m.paymentStory_debited,
  settled: m.paymentStory_settled,
  rejected: m.paymentStory_rejected,
  returned: m.paymentStory_returned,
  cancelled: m.paymentStory_cancelled,
}

const stepIcons: Partial<Record<Milestone['step'], { icon: typeof Circle; tone: string }>> = {
  settled: { icon: CircleCheck, tone: 'text-positive' },
  rejected: { icon: CircleX, tone: 'text-negative' },
  returned: { icon: Undo2, tone: 'text-negative' },
}

/** A step of a payment's timeline. */
export function MilestoneStep({ milestone: { step, value, kind, isAhead, isDropped } }: { milestone: Milestone }) {
  const known = isAhead ? undefined : stepIcons[step]
  const Icon = isAhead || isDropped || value === null ? CircleDashed : (known?.icon ?? CircleCheck)
  return (
    <li data-step={step}>
      <Icon
        aria-hidden
        className={mergeClasses('mt-0.5 size-4.5', known?.tone ?? (isAhead ? 'text-ink-faint' : 'text-ink-soft'))}
      />
      <p
        // Another step is another element: it does not move, it is new.
        key={`${step} ${value ?? ''}`}
        className={mergeClasses('flex flex-wrap justify-between gap-x-3', isDropped && 'line-through')}
      >
        <span className={isAhead || isDropped ? 'text-ink-soft' : 'font-medium'}>{stepNames[step]()}</span>
        <span className="text-ink-soft">
          {value === null ? (
            m.paymentStory_noDate()
          ) : kind === 'day' ? (
            <BusinessDate value={value} />
          ) : (
            <Timestamp value={value} />
          )}
          {isAhead && !isDropped ? `, ${m.paymentStory_planned()}` : null}
        </span>
      </p>
    </li>
  )
}
