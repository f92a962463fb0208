import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { calendarOf } from '@/lib/api-contract/business-days'
import type { Database } from '@/lib/database/database'
import type { ServiceContext } from '../http/handler'
import { parseWithSchema } from '../http/parse-request'
import { Problem } from '../http/problem'
import { logFailure } from '../logging'
import { paymentColumns, type PaymentState, paymentStates } from '../payments/payment'
import { addBusinessDays, recordPaymentEvents } from '../simulation/payment-lifecycle'
import { payments } from '../store/schema'

/** The states from which each state can be set. */
const origins: Record<PaymentState, readonly PaymentState[]> = {
  Pending: [],
  Scheduled: ['Pending'],
  Settled: ['Pending', 'Scheduled'],
  Rejected: ['Pending', 'Scheduled'],
  Chargeback: ['Settled'],
  Cancelled: ['Pending'],
}

/**
 * Moves a payment to a state as if its scheme had reported it, with its event. An accepted cancellation lapses. Throws
 * Problem `not-found`, or `not-pending` when its state does not lead there.
 */
export async function setPaymentState(db: Database, id: string, status: PaymentState, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.select(paymentColumns).from(payments).where(eq(payments.id, id)).for('update')
    if (!before) throw new Problem('not-found', 'There is no such payment.')
    if (!origins[status].some((origin) => origin === before.status)) {
      throw new Problem('not-pending', `A payment that is ${before.status} does not become ${status}.`)
    }
    const settlementDate =
      status === 'Settled' ? addBusinessDays(now, 1, calendarOf(before.scheme)) : before.settlementDate
    const rows = await tx
      .update(payments)
      .set({
        status,
        settlementDate,
        settlementSort: settlementDate ?? before.settlementSort,
        nextAt: null,
        cancelAt: null,
        modifiedAt: now,
      })
      .where(eq(payments.id, id))
      .returning(paymentColumns)
    await recordPaymentEvents(tx, rows, now)
  })
}

/** A change of state triggered by a request, so that it happens between a user's view and their request. */
const triggerInput = z.strictObject({
  paymentId: z.uuid(),
  status: z.enum(paymentStates),
  /** `read`: before a list of payments is answered. `cancel`: before a cancellation of this payment is handled. */
  upon: z.enum(['read', 'cancel']),
  /** How many matching requests pass first. */
  skip: z.number().int().min(0).max(10_000).default(0),
})

type Trigger = z.output<typeof triggerInput>

function meets({ upon, paymentId }: Trigger, method: string, path: string): boolean {
  if (upon === 'read') return method === 'GET' && path === '/Payments'
  return method === 'DELETE' && path.toLowerCase() === `/payments/${paymentId.toLowerCase()}`
}

/**
 * Adds triggers to the service and their routes to its control port: POST /triggers adds one, GET lists the waiting
 * ones, DELETE removes them. A change that the payment's state does not allow is logged and dropped.
 */
export function addTriggers(app: FastifyInstance, control: FastifyInstance, context: ServiceContext): void {
  const waiting = new Set<Trigger>()

  app.addHook('onRequest', async ({ method, url }) => {
    const path = url.split('?', 1)[0] ?? ''
    for (const trigger of [...waiting].filter((one) => meets(one, method, path))) {
      trigger.skip -= 1
      if (trigger.skip >= 0) continue
      waiting.delete(trigger)
      await setPaymentState(context.database.db, trigger.paymentId, trigger.status, context.clock.now()).then(
        context.wake,
        (error: unknown) => logFailure('a trigger did nothing', error),
      )
    }
  })

  control.get('/triggers', async () => ({ triggers: [...waiting] }))
  control.post('/triggers', async (request, reply) => {
    waiting.add({ ...parseWithSchema(triggerInput, request.body) })
    return reply.code(204).send()
  })
  control.delete('/triggers', async (_request, reply) => {
    waiting.clear()
    return reply.code(204).send()
  })
}
