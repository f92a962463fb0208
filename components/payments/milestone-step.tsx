'use client'

import { Circle, CircleCheck, CircleDashed, CircleX, Undo2 } from 'lucide-react'
import type { Milestone } from '@/lib/domain/payment-story'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { BusinessDate, Timestamp } from '../records/dates'
import { mergeClasses } from '../ui/merge-classes'
import { RichMessage } from '../ui/rich-message'

const stepNames: Record<Milestone['step'], Message> = {
  created: m.paymentStory_created,
  handOver: m.paymentStory_handOver,
  debited: m.paymentStory_debited,
  settled: m.paymentStory_settled,
  rejected: m.paymentStory_rejected,
  returned: m.paymentStory_returned,
  cancelled: m.paymentStory_cancelled,
}

/** The names of steps that lie ahead, or no longer do. */
const plannedNames: Partial<typeof stepNames> = {
  handOver: m.paymentStory_handOverPlanned,
  debited: m.paymentStory_debitedPlanned,
  settled: m.paymentStory_settledPlanned,
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
  const isPlan = isAhead || isDropped
  const name = ((isPlan && plannedNames[step]) || stepNames[step])()
  const date =
    value === null ? (
      m.paymentStory_noDate()
    ) : kind === 'day' ? (
      <BusinessDate value={value} />
    ) : kind === 'timestamp' ? (
      <Timestamp value={value} />
    ) : (
      <RichMessage message={m.paymentStory_lastModified} parts={{ time: <Timestamp value={value} /> }} />
    )
  return (
    <li data-step={step}>
      <Icon
        aria-hidden
        className={mergeClasses('mt-0.5 size-4.5', known?.tone ?? (isAhead ? 'text-ink-faint' : 'text-ink-soft'))}
      />
      <p
        // Another step is another element: it does not move, it is new.
        key={`${step} ${value ?? ''}`}
        className="flex flex-wrap justify-between gap-x-3"
      >
        <span className={isPlan ? 'text-ink-soft' : 'font-medium'}>{isDropped ? <s>{name}</s> : name}</span>
        <span className="text-ink-soft">
          {isDropped ? <s>{date}</s> : date}
          {isDropped ? `, ${m.paymentStory_dropped()}` : isAhead ? `, ${m.paymentStory_planned()}` : null}
        </span>
      </p>
    </li>
  )
}
