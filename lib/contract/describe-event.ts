import { refTo } from './json-schema'

const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/** What a subscriber receives, as an OpenAPI operation. */
export function describeEvent() {
  return {
    operationId: 'receiveEvent',
    summary: 'A change of state, posted to each subscribed address.',
    security: [],
    parameters: signed.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
    requestBody: { required: true, content: { 'application/json': { schema: refTo('Event') } } },
    responses: { '2XX': { description: 'Taken; anything else is tried again.' } },
  }
}
