import * as z from 'zod'
import { defineEndpoint } from './endpoint'
import { listQuery, page } from './pagination'
import { segment } from './path-segment'
import { MAX_REASON_LENGTH } from './limits'
import { amount, flag, nested, record, text } from './tolerant'
import { hasVisibleText, notBlank } from './visible-text'

import * as m from '../messages/m'
/** A payment as read (docs/upstream-api.md, section 2): any field may be null, unknown fields are kept. */
export const payment = record({
  id: text,
  paymentDate: text,
  scheduleDate: text,
  handle: text,
  description: text,
  reference: text,
  amount,
  currency: text,
  test: flag,
  status: text,
  settlementDate: text,
  createdAt: text,
  modifiedAt: text,
  customer: nested(record({ id: text, name: text })),
  mandate: nested(record({ id: text, handle: text, scheme: text })),
})
export type Payment = z.output<typeof payment>

/** Payment cancellation input (docs/upstream-api.md, section 2): `text` is the reason, sent as typed. */
export const cancellationInput = z.strictObject({
  text: z
    .string()
    .max(MAX_REASON_LENGTH, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: MAX_REASON_LENGTH }) })
    .refine(hasVisibleText, { error: m.contractFields_mustNotBeEmpty })
    .refine((value) => value.isWellFormed() && !value.includes('\0'), {
      error: m.requestRules_holdsCharactersThatCannotBeStored,
    })
    .meta(notBlank),
})

export const listPayments = defineEndpoint({
  id: 'listPayments',
  summary: 'Lists the payments, which are collections.',
  permission: 'read',
  params: {},
  query: listQuery,
  reply: page(payment),
  decisions: ['Takes the query of the other lists: filter, orderby, after, limit, as under "Filters and orders".'],
})

export const cancelPayment = defineEndpoint({
  id: 'cancelPayment',
  summary: 'Asks for a payment to be cancelled.',
  permission: 'cancel',
  params: { paymentId: segment },
  body: cancellationInput,
  reply: z.unknown(),
  decisions: [
    'paymentId is the id or the handle.',
    'The Accepted reply is 202 without a body: the payment is cancelled soon after, not yet. Asking again is accepted and changes nothing.',
    'A payment that is no longer Pending answers 409; 401, 403, 404 and 429 are the other refusals.',
  ],
})
