import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { ServiceContext } from '../context'
import { readSchema } from '../http/read-schema'
import { paymentStates } from '../payments/payment-states'
import { setPaymentState } from './set-payment-state'
import { logFailure } from '../log-failure'

/** A change of state that waits for a request, so that it falls between what somebody saw and what they ask for. */
const triggerInput = z.strictObject({
  paymentId: z.uuid(),
  status: z.enum(paymentStates),
  /** `read`: before a list of payments is answered. `cancel`: before a cancellation of this payment is handled. */
  upon: z.enum(['read', 'cancel']),
  /** How many such requests pass first. */
  skip: z.number().int().min(0).max(10_000).default(0),
})

type Trigger = z.output<typeof triggerInput>

function meets({ upon, paymentId }: Trigger, method: string, path: string): boolean {
  if (upon === 'read') return method === 'GET' && path === '/Payments'
  return method === 'DELETE' && path.toLowerCase() === `/payments/${paymentId.toLowerCase()}`
}

/**
 * Adds triggers to the service and their routes to its control port: POST /triggers sets one, GET lists those
 * that wait, DELETE forgets them. A change that the payment's state does not allow is logged and forgotten.
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
    waiting.add({ ...readSchema(triggerInput, request.body) })
    return reply.code(204).send()
  })
  control.delete('/triggers', async (_request, reply) => {
    waiting.clear()
    return reply.code(204).send()
  })
}
