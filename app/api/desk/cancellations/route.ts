import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { type CancellationList, cancellationRequest } from '@/lib/domain/cancellations/cancellation'
import { segment } from '@/lib/api-contract/path-segment'
import { requestCancellation, toCancellationResponse } from '@/lib/server/cancellations/request-cancellation'
import { findCancellationsOf, findUnsettledCancellations } from '@/lib/server/cancellations/queries'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import * as m from '@/lib/messages/m'

const query = z
  .strictObject({
    paymentId: z.array(segment).max(100).optional(),
    open: z.literal('1').optional(),
  })
  .refine(({ paymentId, open }) => Boolean(paymentId) !== Boolean(open), {
    error: m.requestRules_mustNameEitherPaymentIdOrOpen,
  })

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: deskRoute(
    { acceptsApiTokens: true, permission: 'read', query, repeatable: ['paymentId'] },
    async ({ session, query: { paymentId } }) => {
      const { scope } = session
      const found = paymentId ? await findCancellationsOf(scope, paymentId) : await findUnsettledCancellations(scope)
      return Response.json({ cancellations: found } satisfies CancellationList)
    },
  ),
  POST: deskRoute(
    { acceptsApiTokens: true, permission: 'cancel', body: cancellationRequest },
    async ({ session, body }) => {
      const ledger = await openLedger(session.scope.connectionId)
      return toCancellationResponse(await requestCancellation(ledger, session, body))
    },
  ),
})
