import type * as z from 'zod'
import type { addresses, EndpointId, PathParameter } from '@/lib/api-contract/addresses'
import type { Endpoints } from '@/lib/api-contract/endpoints'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { RequestLog } from '../logging'
import type { Clock } from '../simulation/clock'
import type { CallbackPolicy } from '../webhooks/callback-policy'
import type { Caller } from './credentials'

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** The arguments of a handler: an authenticated caller and input parsed by the contract. */
export type Call<Id extends EndpointId> = {
  /** For writes the transaction that also stores the reply; it is rolled back when the handler throws. */
  db: Database
  caller: Caller
  /** The service's time, constant during a request. */
  now: Date
  params: Record<PathParameter<(typeof addresses)[Id]['path']>, string>
  query: Output<Endpoints[Id]['query']>
  body: Output<Endpoints[Id]['body']>
  /** The caller's preferences (RFC 7240) in lower case. */
  preferences: ReadonlySet<string>
  settings: HandlerSettings
}

export type HandlerSettings = {
  /** Milliseconds from an accepted cancellation to its effect. */
  cancelDelay: number
  /** Signs the cursors of lists. */
  cursorSecret: string
  /** The signing secrets of subscriptions are derived from it. */
  webhookSecret: string
  /** Decides which callback addresses merchants may register. */
  callbacks: CallbackPolicy
}

/** The reply of a handler. Text is sent as text/plain, anything else as JSON in the requested media type. */
export type HandlerReply = {
  status: number
  body?: unknown
  location?: string
  /** Members that are added to the body but not stored for replays, such as a new token. */
  once?: Record<string, unknown>
  /** Subscriptions ended by this request. */
  ended?: readonly string[]
  /** For the request log: `accepted`, `accepted-again`, `created` … */
  outcome?: string
}

export type Handler<Id extends EndpointId> = (call: Call<Id>) => Promise<HandlerReply>

/** A slow check that runs before the handler's transaction begins. Throws Problem. */
export type Preparation<Id extends EndpointId> = (call: Pick<Call<Id>, 'body' | 'settings'>) => Promise<void>

export type Preparations = { [Id in EndpointId]?: Preparation<Id> }

export type Handlers = { [Id in EndpointId]: Handler<Id> }

/** The parts of the running service. */
export type ServiceContext = {
  database: OpenDatabase
  clock: Clock
  settings: HandlerSettings
  log: RequestLog
  /** Called after each committed write, so that the workers take new due work at once. */
  wake: () => void
  /** Called after a commit with the subscriptions that it ended. */
  endDeliveries: (webhookIds: readonly string[]) => void
  /** Requests per minute and credential. */
  requestsPerMinute: number
  /** Missing and wrong credentials per minute and address. */
  wrongCredentialsPerMinute: number
}
