import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import type { EventInfo } from './webhooks'

/** The events that are known, in lower case. */
const labels: Readonly<Record<string, Message>> = {
  'payment created': m.webhookEvents_paymentCreated,
  'payment scheduled': m.webhookEvents_paymentScheduled,
  'payment settled': m.webhookEvents_paymentSettled,
  'payment rejected': m.webhookEvents_paymentRejected,
  'payment chargeback': m.webhookEvents_paymentChargeback,
  'payment cancelled': m.webhookEvents_paymentCancelled,
  'mandate registration': m.webhookEvents_mandateRegistered,
  'mandate cancel': m.webhookEvents_mandateCancelled,
  'mandate expired': m.webhookEvents_mandateExpired,
  'agreement active': m.webhookEvents_agreementActive,
}

function findLabel(event: string): string | undefined {
  const word = event.toLowerCase()
  return Object.hasOwn(labels, word) ? labels[word]?.() : undefined
}

/** What a delivery says happened, in the reader's language; as it came where that is not known, empty if it is no event. */
export function describeEvent({ objectType, eventType }: Pick<EventInfo, 'objectType' | 'eventType'>): string {
  const sent = [objectType, eventType].filter(Boolean).join(' ')
  return findLabel(sent) ?? sent
}

/** As describeEvent, of a payment's event beside the payment: an unknown one stands alone. */
export function describePaymentEvent(eventType: string | null): string {
  return findLabel(`payment ${eventType}`) ?? eventType ?? ''
}
