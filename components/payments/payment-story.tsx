'use client'

import { Circle, CircleCheck, CircleDashed, CircleX, Undo2 } from 'lucide-react'
import type { Payment } from '@/lib/api-contract/payments'
import { dayInZone, formatDay } from '@/lib/domain/date'
import {
  findEnding,
  findHeadline,
  type Headline,
  listMilestones,
  type Milestone,
  type PaymentEnding,
} from '@/lib/domain/payment-story'
import type { Message } from '@/lib/language/runtime'
import { type AppConfig, useAppConfig } from '../layout/app-config'
import { BusinessDate, Timestamp } from '../records/dates'
import { mergeClasses } from '../ui/merge-classes'
import * as m from '@/lib/messages/m'

function storyContext({ states, schemeZone }: AppConfig) {
  return { states, zone: schemeZone, today: dayInZone(Date.now(), schemeZone) }
}

function describeHeadline(headline: Headline, locale: string): string {
  if (!('day' in headline))
    return headline.kind === 'cancelled' ? m.paymentStory_headlineCancelled() : m.paymentStory_headlineReturned()
  const day = formatDay(headline.day, locale)
  switch (headline.kind) {
    case 'collected':
      return m.paymentStory_headlineCollected({ day })
    case 'rejected':
      return m.paymentStory_headlineRejected({ day })
    case 'ahead':
      return m.paymentStory_headlineAhead({ day })
    default:
      return m.paymentStory_headlineOverdue({ day })
  }
}

/** A payment's main date, named for what it means to the payer. */
export function PaymentHeadline({ payment, className }: { payment: Payment; className?: string }) {
  const config = useAppConfig()
  const headline = findHeadline(payment, storyContext(config))
  return headline && <p className={className}>{describeHeadline(headline, config.locale)}</p>
}

const nextSteps: Partial<Record<PaymentEnding, Message>> = {
  settled: m.paymentStory_nextSettled,
  rejected: m.paymentStory_nextRejected,
  returned: m.paymentStory_nextReturned,
  sent: m.paymentStory_nextSent,
}

/** What can still happen to a payment that can't be cancelled any more. */
export function PaymentNextStep({ payment, className }: { payment: Payment; className?: string }) {
  const config = useAppConfig()
  const text = nextSteps[findEnding(payment, storyContext(config))]
  return text ? <p className={className}>{text()}</p> : null
}

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

/** The steps of a payment from its creation to its end; those that lie ahead are planned. */
export function PaymentStory({ payment }: { payment: Payment }) {
  const milestones = listMilestones(payment, storyContext(useAppConfig()))
  return (
    <section aria-labelledby="payment-story" className="border-t border-line py-4">
      <h2 id="payment-story" className="mb-2 text-[0.8125rem] font-semibold">
        {m.paymentStory_title()}
      </h2>
      <ol className="grid" data-story="">
        {milestones.map(({ step, value, kind, isAhead, isDropped }, index) => {
          const known = isAhead ? undefined : stepIcons[step]
          const Icon = isAhead || isDropped || value === null ? CircleDashed : (known?.icon ?? CircleCheck)
          return (
            <li
              // By their place: when a payment is cancelled its steps change, and nothing moves.
              key={index}
              data-step={step}
              className="relative grid grid-cols-[1.25rem_minmax(0,1fr)] items-start gap-x-2 pb-2.5 last:pb-0 not-last:before:absolute not-last:before:top-5 not-last:before:bottom-0 not-last:before:left-[0.5625rem] not-last:before:w-px not-last:before:bg-line"
            >
              <Icon
                aria-hidden
                className={mergeClasses(
                  'mt-0.5 size-4.5',
                  known?.tone ?? (isAhead ? 'text-ink-faint' : 'text-ink-soft'),
                )}
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
        })}
      </ol>
    </section>
  )
}
