import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { explainAddress } from '@/lib/api-contract/callback-address'
import type { ProbeResult } from '@/lib/domain/webhooks'
import { webhookInput } from '@/lib/api-contract/webhooks'
import { AppError } from '@/lib/server/runtime/app-error'
import { findInbox } from '@/lib/server/webhooks/inbox'
import { limitConcurrency } from '@/lib/server/runtime/limits'
import { requireStore } from '@/lib/server/store/store'
import { probeAddress } from '@/lib/server/webhooks/callback-probe'

const gate = limitConcurrency(2, 8)

/** Probes whether a URL to be subscribed responds. Returns a ProbeResult. */
const probe = deskRoute(
  { permission: 'manage', body: z.strictObject(webhookInput.shape) },
  async ({ session, body }) => {
    const inbox = await findInbox(await requireStore(), session.scope.connectionId)
    const own = inbox?.address ?? null
    const reason = explainAddress(body.webhookUrl, { known: [], own })
    if (reason) throw new AppError('bad-request', { errors: { webhookUrl: [reason] } })
    const result: ProbeResult =
      body.webhookUrl === own ? { kind: 'own' } : await gate(() => probeAddress(body.webhookUrl))
    return Response.json(result)
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: probe })
