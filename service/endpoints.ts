import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { addresses, type EndpointId } from '@/lib/api-contract/addresses'
import { describeIssue } from '@/lib/api-contract/describe-issue'
import { customerChange } from '@/lib/api-contract/customers'
import { endpoints } from '@/lib/api-contract/endpoints'
import type { Database } from '@/lib/database/database'
import { createAgreement, deleteAgreement, getAgreement } from './agreements/agreements'
import { createCustomer, deleteCustomer, getCustomer, listCustomers, updateCustomer } from './customers/customers'
import { type Authenticator, requireCaller } from './http/authenticator'
import type { Caller } from './http/credentials'
import type { HandlerReply, Call, Handler, Handlers, Preparation, Preparations, ServiceContext } from './http/handler'
import { findAnswer, parseIdempotencyKey, type Replayable, runOnce } from './http/idempotency'
import { parseBody, parseQuery, parseWithSchema } from './http/parse-request'
import { Problem } from './http/problem'
import { sendReply, sendProblem } from './http/reply'
import { getMandate, listMandates } from './mandates/mandates'
import { createMerchant, getMerchant } from './merchants/merchants'
import { cancelPayment } from './payments/cancel-payment'
import { listPayments } from './payments/list-payments'
import { checkCallback, listWebhooks, subscribeWebhook, unsubscribeWebhook } from './webhooks/subscriptions'

/** GET /: plain text, without a credential. */
const getStatus: Handler<'getStatus'> = async () => ({ status: 200, body: 'The direct-debit service is up.' })

export const handlers: Handlers = {
  getStatus,
  listCustomers,
  createCustomer,
  getCustomer,
  updateCustomer,
  deleteCustomer,
  listMandates,
  getMandate,
  createMerchant,
  getMerchant,
  createAgreement,
  getAgreement,
  deleteAgreement,
  listWebhooks,
  subscribeWebhook,
  unsubscribeWebhook,
  listPayments,
  cancelPayment,
}

/** The handlers with a preparation outside the transaction. */
export const preparations: Preparations = { subscribeWebhook: checkCallback }

/** Bodies of which the service takes less than the contract, which lets the desk send back what another provider holds. */
const narrowBodies: { [Id in EndpointId]?: z.ZodType } = { updateCustomer: customerChange }

type Input<Id extends EndpointId> = Pick<Call<Id>, 'params' | 'query' | 'body'>

/** The only content-type parser of `createApp` leaves bodies as bytes. */
function bytesOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

/** Asserts that each part was parsed by the schemas of endpoint `Id`, which TypeScript cannot see. */
function asInput<Id extends EndpointId>(input: { params: unknown; query: unknown; body: unknown }): Input<Id> {
  return input as Input<Id>
}

/** Parses path, query and body by the contract. Throws Problem. */
function parseInput<Id extends EndpointId>(id: Id, request: FastifyRequest): Input<Id> {
  const { params, query } = endpoints[id]
  const body = narrowBodies[id] ?? endpoints[id].body
  const readParams = Object.entries<z.ZodType>(params).map(([name, schema]) => {
    const given: unknown = Object.entries(request.params ?? {}).find(([key]) => key === name)?.[1]
    const read = schema.safeParse(given)
    if (read.success) return [name, read.data]
    const messages = read.error.issues.map(describeIssue)
    throw new Problem('validation', `${name}: ${messages[0]}.`, { errors: { [name]: messages } })
  })
  return asInput<Id>({
    params: Object.fromEntries(readParams),
    query: query ? parseWithSchema(query, parseQuery(request.url, request.query)) : undefined,
    body: body
      ? parseBody(body, bytesOf(request), {
          type: request.headers['content-type'],
          encoding: request.headers['content-encoding'],
        })
      : undefined,
  })
}

/** The caller of an endpoint that needs no credential. */
const anonymous: Caller = { merchantId: '', isv: false, tokenHash: '' }

const noPreferences: ReadonlySet<string> = new Set()

function parsePreferences(header: string | string[] | undefined): ReadonlySet<string> {
  const preferences = [header ?? []].flat().flatMap((value) => value.split(','))
  return new Set(preferences.map((preference) => preference.trim().toLowerCase()))
}

type EndpointRequest<Id extends EndpointId> = {
  context: ServiceContext
  request: FastifyRequest
  id: Id
  caller: Caller
  input: Input<Id>
}

/** Runs a write in one transaction; with an Idempotency-Key the reply is stored in the same transaction. */
async function runWrite<Id extends EndpointId>(
  { context, request, id, caller, input }: EndpointRequest<Id>,
  handler: Handler<Id>,
): Promise<Replayable> {
  const { db } = context.database
  const key = parseIdempotencyKey(request.headers['idempotency-key'])
  const path = request.url.split('?', 1)[0] ?? ''
  const preferences = parsePreferences(request.headers.prefer)
  const write = {
    merchantId: caller.merchantId,
    method: endpoints[id].method,
    path,
    body: input.body,
    wantsSecret: preferences.has('new-secret'),
  }
  const prepare: Preparation<Id> | undefined = preparations[id]
  if (prepare) {
    // What was answered once is answered again, whatever the preparation would say by now.
    const stored = key === undefined ? null : await findAnswer(db, { ...write, key })
    if (stored) return stored
    await prepare({ body: input.body, settings: context.settings })
  }
  const now = context.clock.now()
  const run = (tx: Database): Promise<HandlerReply> =>
    handler({ ...input, db: tx, caller, now, preferences, settings: context.settings })
  const outcome = await db.transaction(async (tx): Promise<Replayable> => {
    if (key !== undefined) return runOnce(tx, { ...write, key, now }, run)
    return { kind: 'answer', answer: await run(tx), replayed: false }
  })
  if (outcome.kind === 'answer' && !outcome.replayed) context.endDeliveries(outcome.answer.ended ?? [])
  context.wake()
  return outcome
}

/** Adds an endpoint's route: credential, input parsed by the contract, handler, reply, and the outcome for the request log. */
function registerEndpoint<Id extends EndpointId>(
  app: FastifyInstance,
  context: ServiceContext,
  authenticate: Authenticator,
  endpointHandlers: Pick<Handlers, Id>,
  id: Id,
): void {
  const { method, path } = addresses[id]
  const handler: Handler<Id> = endpointHandlers[id]
  const url = path.replaceAll(/\{(\w+)\}/gu, ':$1')
  const isOpen = id === 'getStatus'
  app.route({
    method,
    url,
    // Before the body is read, so that bodies of unauthenticated requests are not.
    ...(isOpen ? {} : { onRequest: authenticate }),
    handler: async (request, reply) => {
      const { database, clock, settings } = context
      const caller = isOpen ? anonymous : requireCaller(request)
      const input = parseInput(id, request)
      if (method === 'GET') {
        return sendReply(
          request,
          reply,
          await handler({ ...input, db: database.db, caller, now: clock.now(), preferences: noPreferences, settings }),
        )
      }
      request.write = {
        outcome: 'refused',
        body: method === 'DELETE' && input.body ? JSON.stringify(input.body) : null,
      }
      const outcome = await runWrite({ context, request, id, caller, input }, handler)
      if (outcome.kind === 'problem') {
        request.write.outcome = outcome.replayed ? 'replayed' : outcome.code
        return sendProblem(request, reply, new Problem(outcome.code, outcome.detail, outcome.extras), outcome.replayed)
      }
      request.write.outcome = outcome.replayed ? 'replayed' : (outcome.answer.outcome ?? 'refused')
      return sendReply(request, reply, outcome.answer, outcome.replayed)
    },
  })
}

export function registerEndpoints(app: FastifyInstance, context: ServiceContext, authenticate: Authenticator): void {
  for (const { id } of Object.values(endpoints)) registerEndpoint(app, context, authenticate, handlers, id)
}
