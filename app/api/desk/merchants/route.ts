import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { randomUUID } from 'node:crypto'
import { newConnection } from '@/lib/domain/merchant-connection'
import { addConnection, wakeWorkers } from '@/lib/server/merchants/commands'
import { parseIdempotencyKey } from '@/lib/server/http/idempotency-key'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { requireStore } from '@/lib/server/store/store'

/** Adds a merchant with its API address and credential. Returns `{ merchant }`, its id: the same for the same Idempotency-Key. */
const add = deskRoute({ permission: 'administer', body: newConnection }, async ({ session, body, request }) => {
  const key = parseIdempotencyKey(request) ?? randomUUID()
  await requireRecentPassword(session)
  const merchant = await addConnection(await requireStore(), session, body, key)
  wakeWorkers()
  return Response.json({ merchant }, { status: 201 })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: add })
