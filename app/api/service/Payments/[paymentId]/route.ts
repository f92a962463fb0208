import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { randomUUID } from 'node:crypto'
import { segment } from '@/lib/api-contract/path-segment'
import { cancelPayment } from '@/lib/api-contract/payments'
import { requestCancellation, toCancellationResponse } from '@/lib/server/cancellations/request-cancellation'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import { parseIdempotencyKey } from '@/lib/server/http/idempotency-key'

/**
 * The documented endpoint, routed to the ledger. Its callers have not seen the payment, so what the guard reads
 * counts as seen.
 */
const cancel = deskRoute(
  {
    acceptsApiTokens: true,
    permission: cancelPayment.permission,
    params: { paymentId: segment },
    body: cancelPayment.body,
    endpointId: 'cancelPayment',
  },
  async ({ session, params, body, request }) => {
    const key = parseIdempotencyKey(request) ?? randomUUID()
    const ledger = await openLedger(session.scope.connectionId)
    const instruction = { key, paymentId: params.paymentId, reason: body.text, seen: null }
    return toCancellationResponse(await requestCancellation(ledger, session, instruction))
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: cancel })
