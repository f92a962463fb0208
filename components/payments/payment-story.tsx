'use client'

import { useState } from 'react'
import { useAskedPart } from '../feedback/use-asked-part'
import type { Payment } from '@/lib/api-contract/payments'
import { useCancellation } from '@/lib/client/cancellations'
import { dayInZone, formatDay } from '@/lib/domain/dates/date'
import { findEnding, findHeadline, type Headline, listMilestones, type PaymentEnding } from '@/lib/domain/payment-story'
import type { Message } from '@/lib/language/runtime'
import { type AppConfig, useAppConfig } from '../layout/app-config'
import { Button } from '../ui/button'
import { MilestoneStep } from './milestone-step'
import './payment-story.css'
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

const loadFullStory = async () => (await import('./full-story')).FullStory

type PaymentStoryProps = {
  payment: Payment
  /** A value that changes when there may be more to tell. */
  at: string | null
}

/**
 * The steps of a payment from its creation to its end; those that lie ahead are planned. On demand with everything
 * that happened in between.
 */
export function PaymentStory({ payment, at }: PaymentStoryProps) {
  const view = useCancellation(payment.id)
  const cancelledAt = view?.outcome === 'cancelled' ? view.closedAt : null
  const milestones = listMilestones(payment, { ...storyContext(useAppConfig()), cancelledAt })
  const [isFull, setFull] = useState(false)
  const { part: FullStory } = useAskedPart(isFull, loadFullStory, () => setFull(false))
  const steps = milestones.map((milestone, index) => (
    // By their place: when a payment is cancelled its steps change, and nothing moves.
    <MilestoneStep key={index} milestone={milestone} />
  ))
  return (
    <section aria-labelledby="payment-story" className="border-t border-line py-4" data-story="">
      <h2 id="payment-story" className="mb-2 text-[0.8125rem] font-semibold">
        {m.paymentStory_title()}
      </h2>
      {isFull && FullStory && payment.id ? (
        <FullStory key={`${payment.id} ${at ?? ''}`} paymentId={payment.id} milestones={milestones} />
      ) : (
        <ol>{steps}</ol>
      )}
      {payment.id ? (
        <Button size="small" className="mt-2" aria-expanded={isFull} onClick={() => setFull(!isFull)}>
          {isFull ? m.paymentStory_stepsOnly() : m.paymentStory_everything()}
        </Button>
      ) : null}
    </section>
  )
}
