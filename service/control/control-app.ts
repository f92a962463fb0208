import { asc, sql } from 'drizzle-orm'
import Fastify, { type FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Clock } from '../simulation/clock'
import type { ServiceContext } from '../http/handler'
import { Problem } from '../http/problem'
import { parseWithSchema } from '../http/parse-request'
import { sendProblem } from '../http/reply'
import { paymentStates } from '../payments/payment'
import { deliveries } from '../store/webhook-schema'
import { type Faults, faultInput } from './faults'
import { setPaymentState } from './payment-triggers'
import { logFailure } from '../logging'

const clockInput = z.union([
  z.strictObject({
    advance: z
      .number()
      .min(0)
      .max(10 * 366 * 86_400_000),
  }),
  z.strictObject({ to: z.iso.datetime({ offset: true }) }),
])
const stateInput = z.strictObject({
  status: z.enum(paymentStates),
  /** Real milliseconds to wait first, so that a payment changes while somebody is looking at it. */
  delay: z.number().int().min(0).max(600_000).default(0),
})
const idInput = z.object({ id: z.uuid() })

function moveClock(clock: Clock, input: z.output<typeof clockInput>): void {
  clock.advance('advance' in input ? input.advance : Date.parse(input.to) - clock.now().getTime())
}

/**
 * The control port: moves the clock, sets states as schemes would, and injects faults. It needs no credential, so it is
 * opened only on request and listens on loopback. service/README.md, "Scenarios".
 */
export function createControlApp(context: ServiceContext, faults: Faults): FastifyInstance {
  const { clock, database, log, wake } = context
  const app = Fastify({ forceCloseConnections: 'idle' })
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof Problem)) logFailure('unexpected failure', error)
    return sendProblem(request, reply, error instanceof Problem ? error : new Problem('internal', String(error)))
  })
  app.get('/clock', async () => ({ now: clock.now() }))
  app.post('/clock', async (request, reply) => {
    moveClock(clock, parseWithSchema(clockInput, request.body))
    return reply.send({ now: clock.now() })
  })
  app.post('/payments/:id/state', async (request, reply) => {
    const { id } = parseWithSchema(idInput, request.params)
    const { status, delay } = parseWithSchema(stateInput, request.body)
    const change = () => setPaymentState(database.db, id, status, clock.now()).then(wake)
    if (delay === 0) await change()
    else setTimeout(() => void change().catch((error: unknown) => logFailure('too late', error)), delay).unref()
    return reply.code(delay === 0 ? 204 : 202).send()
  })
  app.get('/faults', async () => ({ faults: faults.list() }))
  app.post('/faults', async (request, reply) => {
    faults.add(parseWithSchema(faultInput, request.body))
    return reply.code(204).send()
  })
  app.delete('/faults', async (_request, reply) => {
    faults.clear()
    return reply.code(204).send()
  })
  app.get('/requests', async () => ({ requests: log.requests }))
  app.get('/deliveries', async () => ({
    deliveries: await database.db
      .select()
      .from(deliveries)
      .orderBy(sql`${deliveries.endedAt} desc nulls first`, asc(deliveries.nextAt))
      .limit(100),
  }))
  return app
}
