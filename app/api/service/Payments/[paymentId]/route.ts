import { randomUUID } from 'node:crypto'
import { segment } from '@/lib/contract/path-segment'
import { cancelPayment } from '@/lib/contract/payments'
import { answerCancellation } from '@/lib/server/cancellations/answer-cancellation'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import { readIdempotencyKey } from '@/lib/server/cancellations/read-idempotency-key'
import { requestCancellation } from '@/lib/server/cancellations/request-cancellation'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'

/** The documented door to the ledger: whoever uses it has not looked, so what the guard reads counts as seen. */
const cancel = deskRoute(
  {
    permission: cancelPayment.permission,
    params: { paymentId: segment },
    body: cancelPayment.body,
    endpointId: 'cancelPayment',
  },
  async ({ session, params, body, request }) => {
    const key = readIdempotencyKey(request) ?? randomUUID()
    const ledger = await openLedger(session.scope.connectionId)
    const instruction = { key, paymentId: params.paymentId, reason: body.text, seen: null }
    return answerCancellation(await requestCancellation(ledger, session, instruction))
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: cancel })
