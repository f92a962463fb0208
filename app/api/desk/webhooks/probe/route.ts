import * as z from 'zod'
import { explainAddress } from '@/lib/contract/callback-address'
import type { ProbeResult } from '@/lib/contract/inbox'
import { webhookInput } from '@/lib/contract/webhooks'
import { deskRoute } from '@/lib/server/desk-route'
import { Failure } from '@/lib/server/failure'
import { findInbox } from '@/lib/server/inbox/find-inbox'
import { limitConcurrency } from '@/lib/server/limit-concurrency'
import { methods } from '@/lib/server/methods'
import { requireStore } from '@/lib/server/store/require-store'
import { probeAddress } from '@/lib/server/webhooks/probe-address'

const gate = limitConcurrency(2, 8)

/** Says whether anything answers at an address that somebody is about to subscribe. Answers a ProbeResult. */
const probe = deskRoute(
  { permission: 'manage', body: z.strictObject(webhookInput.shape) },
  async ({ session, body }) => {
    const inbox = await findInbox(await requireStore(), session.scope.connectionId)
    const own = inbox?.address ?? null
    const reason = explainAddress(body.webhookUrl, { known: [], own })
    if (reason) throw new Failure('bad-request', { errors: { webhookUrl: [reason] } })
    const result: ProbeResult =
      body.webhookUrl === own ? { kind: 'own' } : await gate(() => probeAddress(body.webhookUrl))
    return Response.json(result)
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: probe })
