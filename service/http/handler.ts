import type * as z from 'zod'
import type { addresses, EndpointId, PathParameter } from '@/lib/api-contract/addresses'
import type { Endpoints } from '@/lib/api-contract/endpoints'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { RequestLog } from '../logging'
import type { Clock } from '../simulation/clock'
import type { CallbackPolicy } from '../webhooks/callback-policy'
import type { Caller } from './credentials'

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** What a verb is given: a caller whose credential was checked, and input that passed the contract. */
export type Call<Id extends EndpointId> = {
  /** For writes the transaction that also stores the answer; it is rolled back when the verb throws. */
  db: Database
  caller: Caller
  /** The service's time, the same throughout one request. */
  now: Date
  params: Record<PathParameter<(typeof addresses)[Id]['path']>, string>
  query: Output<Endpoints[Id]['query']>
  body: Output<Endpoints[Id]['body']>
  /** What the caller would like (RFC 7240), in lower case. */
  preferences: ReadonlySet<string>
  settings: HandlerSettings
}

export type HandlerSettings = {
  /** Milliseconds from an accepted cancellation to its effect. */
  cancelDelay: number
  /** Signs the continuations of lists. */
  cursorSecret: string
  /** From which the signing secrets of subscriptions are derived. */
  webhookSecret: string
  /** Which callback addresses merchants may register. */
  callbacks: CallbackPolicy
}

/** What a verb answers. Text goes out as text/plain, all else as JSON in the media type that was asked for. */
export type Answer = {
  status: number
  body?: unknown
  location?: string
  /** Members that join the body of this one reply and are not stored for a replay: a new token. */
  once?: Record<string, unknown>
  /** Subscriptions that this ended. */
  ended?: readonly string[]
  /** What the write amounted to, for the request log: `accepted`, `accepted-again`, `created` … */
  outcome?: string
}

export type Handler<Id extends EndpointId> = (call: Call<Id>) => Promise<Answer>

/** What must be found out before a verb's transaction is opened, because it takes a while. Throws Problem. */
export type Preparation<Id extends EndpointId> = (call: Pick<Call<Id>, 'body' | 'settings'>) => Promise<void>

export type Preparations = { [Id in EndpointId]?: Preparation<Id> }

/** One verb per endpoint: a missing one does not compile. */
export type Handlers = { [Id in EndpointId]: Handler<Id> }

/** What the running service consists of. */
export type ServiceContext = {
  database: OpenDatabase
  clock: Clock
  settings: HandlerSettings
  log: RequestLog
  /** Told after each committed write, so that what it made due is not waited for. */
  wake: () => void
  /** Told after a commit which subscriptions ended in it. */
  endDeliveries: (webhookIds: readonly string[]) => void
  /** Requests per minute and credential. */
  requestsPerMinute: number
  /** Missing and wrong credentials per minute and address, beyond which the answer is 429. */
  wrongCredentialsPerMinute: number
}
