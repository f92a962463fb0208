import { createHmac } from 'node:crypto'

/** How long the secret before signs along after a renewal, in milliseconds. */
export const secretOverlap = 24 * 3_600_000

/**
 * The signing secret of one subscription after `turn` renewals, as Standard Webhooks writes it (`whsec_` and
 * 32 bytes in base64). It is derived from the service's own secret and the subscription's id, so that none is stored.
 */
export function deriveSigningSecret(master: string, webhookId: string, turn = 0): string {
  const name = turn === 0 ? `webhook ${webhookId}` : `webhook ${webhookId} ${turn}`
  return `whsec_${createHmac('sha256', master).update(name).digest('base64')}`
}

/** The secrets that sign at `now`: the latest first and, for a while after a renewal, the one before. */
export function signingSecrets(
  master: string,
  { webhookId, turn, renewedAt }: { webhookId: string; turn: number; renewedAt: Date | null },
  now: Date,
): string[] {
  const overlapping = turn > 0 && renewedAt !== null && now.getTime() < renewedAt.getTime() + secretOverlap
  return (overlapping ? [turn, turn - 1] : [turn]).map((one) => deriveSigningSecret(master, webhookId, one))
}
