import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { NotificationListener } from './database'

/** How often the connection is checked, to notice a dead peer or a pooler that took the session away. */
const CHECK_INTERVAL_MS = 20_000
/** For a statement, and for our own notification to arrive. */
const ANSWER_TIMEOUT_MS = 5_000
const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000
/** Where notifications don't arrive at all, they will not a second later either. */
const UNHEARD_WAIT_MS = 5 * 60_000

/** Our own notification did not arrive, as behind PgBouncer in transaction mode, which accepts LISTEN to no effect. */
class Unheard extends Error {}

type ListenOptions = {
  url: string
  channel: string
  /** Milliseconds. */
  connectTimeout: number
  /** Sends a notification on the channel through another connection. */
  notify: (payload: string) => Promise<unknown>
}

/** Ours begin with a word that no payload of the desk (JSON) begins with. */
const CHECK_PREFIX = 'check '

/** Listens until the connection is lost or `signal` aborts; throws then, and Unheard where nothing arrives. */
async function listenOnce(
  { url, channel, connectTimeout, notify }: ListenOptions,
  { onMessage, onState }: NotificationListener,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
  })
  const check = `${CHECK_PREFIX}${randomUUID()}`
  const heard = new AbortController()
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  client.on('notification', ({ payload = '' }) => {
    if (payload === check) heard.abort()
    else if (!payload.startsWith(CHECK_PREFIX)) onMessage(payload)
  })
  try {
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
    await notify(check)
    const answered = AbortSignal.any([heard.signal, lost.signal, signal])
    await pause(ANSWER_TIMEOUT_MS, undefined, { signal: answered, ref: false }).catch(() => undefined)
    if (!heard.signal.aborted) throw new Unheard()
    onState(true)
    const ended = AbortSignal.any([lost.signal, signal])
    while (!ended.aborted) {
      await pause(CHECK_INTERVAL_MS, undefined, { signal: ended, ref: false }).catch(() => undefined)
      if (!ended.aborted) await client.query('select 1')
    }
  } finally {
    // A dead connection never confirms its end.
    await Promise.race([client.end().catch(() => undefined), pause(ANSWER_TIMEOUT_MS, undefined, { ref: false })])
  }
}

/** Listens to a channel on a connection of its own, which is opened again after a loss. Returns what ends it. */
export function listenOnPostgres(options: ListenOptions, listener: NotificationListener): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  let losses = 0
  const run = async () => {
    while (!signal.aborted) {
      const onState = (isListening: boolean) => {
        if (isListening) losses = 0
        listener.onState(isListening)
      }
      const error: unknown = await listenOnce(options, { ...listener, onState }, signal).catch((cause) => cause)
      if (signal.aborted) return
      listener.onState(false)
      losses += 1
      const wait = error instanceof Unheard ? UNHEARD_WAIT_MS : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (losses - 1))
      await pause(wait * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}
