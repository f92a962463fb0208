import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { segment } from '@/lib/api-contract/path-segment'
import { listPaymentEvents } from '@/lib/server/webhooks/queries'

/** The events that the inbox received about a payment. Returns PaymentEvents. */
const read = deskRoute(
  { permission: 'read', query: z.strictObject({ payment: segment }) },
  async ({ session, query: { payment } }) => Response.json(await listPaymentEvents(session, payment)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
