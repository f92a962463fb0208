import { createHmac } from 'node:crypto'

/**
 * The signing secret of one subscription, as Standard Webhooks writes it (`whsec_` and 32 bytes in
 * base64). It is derived from the service's own secret and the subscription's id, so that none is stored.
 */
export function deriveSigningSecret(master: string, webhookId: string): string {
  return `whsec_${createHmac('sha256', master).update(`webhook ${webhookId}`).digest('base64')}`
}
