import * as z from 'zod'
import { defineEndpoint } from './endpoint'

import * as m from '../messages/m'
/** Webhook subscription input (docs/upstream-api.md, section 2). */
export const webhookInput = z.strictObject({
  webhookUrl: z
    .string()
    .min(1, { error: m.contractFields_mustNotBeEmpty })
    .max(2048, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: 2_048 }) })
    .meta({ format: 'uri' }),
})

/** The same for an address that is listed, however long the provider lets it be. */
const listedWebhook = z.strictObject({
  webhookUrl: z.string().min(1, { error: m.contractFields_mustNotBeEmpty }).meta({ format: 'uri' }),
})

export const listWebhooks = defineEndpoint({
  id: 'listWebhooks',
  summary: 'Lists the webhook subscriptions.',
  permission: 'read',
  params: {},
  reply: z.unknown(),
  decisions: ['Answers an array of objects with webhookUrl; arrays, containers, strings and objects are read.'],
})

export const subscribeWebhook = defineEndpoint({
  id: 'subscribeWebhook',
  summary: 'Registers a callback address.',
  permission: 'manage',
  params: {},
  body: webhookInput,
  reply: z.unknown(),
  decisions: [
    'Success is 201 for a new address and 200 for one that was there.',
    'An address is https on port 443 or 8443, publicly reachable, without user name, password and fragment; the operator may allow others. At most 50 per merchant.',
    'The reply to a new subscription tells, this once, the secret that signs what is posted to it.',
    'An address that is there gets another secret with the header `Prefer: new-secret`; for 24 hours both sign.',
    'A receiver that answers 410, or takes nothing for three days, is disabled; subscribing again enables it.',
  ],
})

export const unsubscribeWebhook = defineEndpoint({
  id: 'unsubscribeWebhook',
  summary: 'Removes a callback address.',
  permission: 'manage',
  params: {},
  body: listedWebhook,
  reply: z.unknown(),
  decisions: ['Success is 204, also for an address that was not there.'],
})
