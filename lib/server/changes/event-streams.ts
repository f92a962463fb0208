import { type ChangeKind, HEARTBEAT_MS, OVER_FRAME } from '@/lib/domain/changes'
import type { Role } from '@/lib/api-contract/permission'
import type { OpenDatabase } from '@/lib/database/database'
import type { Session } from '../auth/session'
import { readLiveSession } from '../auth/sessions'
import { AppError } from '../runtime/app-error'
import { log } from '../runtime/log'
import { inBackground } from '../runtime/request-context'
import { getSettings } from '../runtime/settings'
import { requireOpenStore } from '../store/store'
import { type ChangeMessage, changeChannel, parseChangeMessage } from './announce-changes'
import { EventStream, writeEvent } from './event-stream'

/** Open streams of one person: one per browser, or per tab where tabs cannot share. */
export const MAX_STREAMS_PER_PERSON = 12
/** The share of a desk's connections that streams may take. */
const MAX_SHARE = 0.5
/** Changes at a merchant within this time after an event are told together. */
const BATCH_MS = 400
const logKinds: readonly string[] = ['activity', 'private-activity'] satisfies ChangeKind[]
/** For a database to confirm that notifications arrive. */
const LISTEN_TIMEOUT_MS = 6_000

/** The event streams of this desk, and the notifications they are fed from. */
class EventStreams {
  readonly #streams = new Set<EventStream>()
  /** Messages that wait for the end of their merchant's batch. */
  readonly #batches = new Map<string, ChangeMessage[]>()
  readonly #changedAt = new Map<string, number>()
  #isListening = false
  #isClosed = false
  #hasWarned = false
  #stopListening: (() => Promise<void>) | null = null
  #onState: () => void = () => undefined
  readonly #firstState = new Promise<void>((resolve) => {
    this.#onState = resolve
  })
  #heartbeat: ReturnType<typeof setInterval> | undefined

  /** The stream of a session; null where changes cannot be told, so that the page must poll. */
  async open(session: Session): Promise<EventStream | null> {
    const store = await requireOpenStore()
    this.#listen(store)
    await Promise.race([this.#firstState, new Promise((resolve) => setTimeout(resolve, LISTEN_TIMEOUT_MS).unref())])
    if (!this.#isListening || this.#isClosed) return null
    const own = [...this.#streams].filter((stream) => stream.session.userId === session.userId)
    const mostOfAll = Math.floor(getSettings().MAX_CONNECTIONS * MAX_SHARE)
    if (own.length >= MAX_STREAMS_PER_PERSON || this.#streams.size >= mostOfAll)
      throw new AppError('too-many-attempts', { retryAfter: 60 })
    const stream = new EventStream(session, (ended) => this.#streams.delete(ended))
    this.#streams.add(stream)
    this.#heartbeat ??= setInterval(() => void inBackground(() => this.#beat()), HEARTBEAT_MS).unref()
    return stream
  }

  #listen(store: OpenDatabase): void {
    this.#stopListening ??= store.listen(changeChannel, {
      onMessage: (payload) => {
        const message = parseChangeMessage(payload)
        if (message) this.#take(message)
      },
      onState: (isListening) => this.#setListening(isListening),
    })
  }

  #setListening(isListening: boolean): void {
    this.#isListening = isListening
    this.#onState()
    if (isListening) return
    if (!this.#hasWarned) log.info({ event: 'changes-not-heard' }, 'open pages poll')
    this.#hasWarned = true
    // Pages notice, poll, and read everything again once they are connected again.
    for (const stream of this.#streams) stream.end()
  }

  #take(message: ChangeMessage): void {
    const { connectionId, kind } = message
    if (kind === 'access')
      return void inBackground(() =>
        this.#check((stream) => connectionId === null || stream.session.scope.connectionId === connectionId),
      )
    if (connectionId === null) return
    const waiting = this.#batches.get(connectionId)
    if (waiting) return void waiting.push(message)
    this.#batches.set(connectionId, [message])
    // What one commit announces arrives in one turn.
    setImmediate(() => this.#endBatch(connectionId))
  }

  #endBatch(connectionId: string): void {
    const messages = this.#batches.get(connectionId) ?? []
    this.#batches.delete(connectionId)
    if (messages.length === 0) return
    this.#tell(connectionId, messages)
    this.#batches.set(connectionId, [])
    setTimeout(() => this.#endBatch(connectionId), BATCH_MS).unref()
  }

  #tell(connectionId: string, messages: readonly ChangeMessage[]): void {
    // An entry of the log alone, such as a sign-in, changes no record.
    if (messages.some(({ kind }) => !logKinds.includes(kind))) this.#changedAt.set(connectionId, Date.now())
    for (const stream of this.#streams) {
      const heard = messages.filter((message) => stream.mayHear(message))
      if (heard.length > 0) stream.write(writeEvent(heard))
    }
  }

  async #beat(): Promise<void> {
    for (const stream of this.#streams) stream.write(': heartbeat\n\n')
    if (this.#streams.size === 0) {
      clearInterval(this.#heartbeat)
      this.#heartbeat = undefined
    }
    await this.#check(() => true)
  }

  /** Ends the streams whose session is over, or whose user is no longer what they were at the merchant. */
  async #check(isMeant: (stream: EventStream) => boolean): Promise<void> {
    for (const stream of [...this.#streams].filter(isMeant)) {
      // One after the other: nobody waits for it, and the pool is everybody's.
      const role = await readRole(stream.session).catch(() => undefined)
      // The store doesn't answer: the next heartbeat asks again.
      if (role === undefined || role === stream.session.role) continue
      // With another role the page connects again at once, and then learns of it.
      if (role === null) stream.write(`${OVER_FRAME}\n\n`)
      stream.end()
    }
  }

  /** When a change of the merchant's records was last heard of, in milliseconds since the epoch; 0 for never. */
  lastChange(connectionId: string): number {
    return this.#changedAt.get(connectionId) ?? 0
  }

  /** Ends all streams and opens none any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#heartbeat)
    for (const stream of this.#streams) stream.end()
    await this.#stopListening?.()
  }
}

/** The user's role at the session's merchant now; null where they have none, or the session is over. */
async function readRole({ sessionId, userId, scope }: Session): Promise<Role | null> {
  const { db, countWrites } = await requireOpenStore()
  const live = await readLiveSession(db, { sid: sessionId, sub: userId }, new Date(), { quiet: true, countWrites })
  return live?.merchants.find(({ connectionId }) => connectionId === scope.connectionId)?.role ?? null
}

declare global {
  /** One per store and process, across Next's module graphs. */
  var debitdeskEventStreams: { store: unknown; streams: EventStreams } | undefined
}

function getEventStreams(): EventStreams {
  const store = globalThis.debitdeskStore
  if (globalThis.debitdeskEventStreams?.store !== store)
    globalThis.debitdeskEventStreams = { store, streams: new EventStreams() }
  return (globalThis.debitdeskEventStreams ??= { store, streams: new EventStreams() }).streams
}

/**
 * Opens a session's stream of changes; null where the desk doesn't hear of them. Throws AppError 'too-many-attempts'
 * with too many open, and 'store-unavailable'.
 */
export async function openEventStream(session: Session): Promise<EventStream | null> {
  await requireOpenStore()
  return getEventStreams().open(session)
}

/** When a change of the merchant's records was last heard of, in milliseconds since the epoch; 0 for never. */
export function readLastChange(connectionId: string): number {
  return globalThis.debitdeskEventStreams?.streams.lastChange(connectionId) ?? 0
}

/** Ends this desk's streams, so that a shutdown waits for none. */
export async function closeEventStreams(): Promise<void> {
  await globalThis.debitdeskEventStreams?.streams.close()
}
