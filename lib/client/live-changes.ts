import { type ChangeEvent, type ChangeKind, isChangeKind, MAX_SILENCE_MS } from '@/lib/domain/changes'
import type { StreamListener } from './change-stream'
import { createEmitter } from './emitter'
import { pauseAfter } from './page-lifecycle'

/**
 * What may have changed: ids, or null for anything of the kind. `missed` where nothing was told of it, but nothing was
 * heard for a while: since the page was loaded, or in a gap later on.
 */
export type Changed = { ids: readonly string[] | null; missed?: 'since-load' | 'in-gap' }

type Listener = (changed: Changed) => void

/** What the tab that is connected tells the browser's others. */
type Message = { type: 'open' | 'alive' | 'lost' | 'hello' } | { type: 'event'; event: ChangeEvent }

/**
 * From the page's load to connecting: its own requests come first, and a page that is left at once opens no stream. Until
 * then it polls.
 */
const CONNECT_DELAY_MS = 3_000

/** Waits for the time after the page's load; rejects once `signal` aborts. */
async function untilLoaded(delayMs: number, signal: AbortSignal): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  signal.throwIfAborted()
}

/** How this tab follows the changes; tests pass their own. */
export type Follow = (listener: StreamListener, signal: AbortSignal) => Promise<void>

const loadFollow = async (): Promise<Follow> => (await import('./change-stream')).followChanges

/** Loads the code, again and again until that succeeds; meanwhile the page polls. Rejects once `signal` aborts. */
async function keepLoading(load: () => Promise<Follow>, signal: AbortSignal): Promise<Follow> {
  for (let attempt = 0; ; attempt += 1) {
    const follow = await load().catch(() => null)
    signal.throwIfAborted()
    if (follow) return follow
    await pauseAfter(attempt, 0, signal)
    signal.throwIfAborted()
  }
}

/**
 * The changes at the page's merchant as told by the desk, over one connection for all tabs of the browser: the tab that
 * holds a lock is connected and passes on what it hears; when it is closed, the next one is. Browsers without locks or
 * channels connect each tab. While nothing gets through, `isLive` is false and pages poll.
 */
export function createLiveChanges(load: () => Promise<Follow> = loadFollow, connectDelayMs = CONNECT_DELAY_MS) {
  const listeners = new Map<ChangeKind, Set<Listener>>()
  const state = createEmitter()
  let isLive = false
  let heardAt = 0
  let wasLive = false

  function setLive(isNowLive: boolean): void {
    if (isLive === isNowLive) return
    isLive = isNowLive
    state.tell()
  }

  function notify(kind: ChangeKind, changed: Changed): void {
    for (const listener of listeners.get(kind) ?? []) listener(changed)
  }

  /** Changes may have been missed before this. */
  function begin(): void {
    const missed = wasLive ? 'in-gap' : 'since-load'
    wasLive = true
    heardAt = Date.now()
    setLive(true)
    const all = new Set([...listeners.values()].flatMap((ofKind) => [...ofKind]))
    for (const listener of all) listener({ ids: null, missed })
  }

  function take(message: Message): void {
    if (message.type === 'hello') return
    if (message.type === 'lost') return setLive(false)
    if (message.type === 'open' || !isLive) begin()
    heardAt = Date.now()
    if (message.type !== 'event') return
    for (const [kind, ids] of Object.entries(message.event)) if (isChangeKind(kind)) notify(kind, { ids })
  }

  /** Follows in this tab; `tell` passes it on. */
  function lead(follow: Follow, tell: (message: Message) => void, signal: AbortSignal): Promise<void> {
    const pass = (message: Message) => {
      take(message)
      tell(message)
    }
    return follow(
      {
        onOpen: () => pass({ type: 'open' }),
        onSignOfLife: () => pass({ type: 'alive' }),
        onEvent: (event) => pass({ type: 'event', event }),
        onLost: () => pass({ type: 'lost' }),
      },
      signal,
    )
  }

  async function prepare(signal: AbortSignal): Promise<Follow> {
    await untilLoaded(connectDelayMs, signal)
    return keepLoading(load, signal)
  }

  function share(name: string, signal: AbortSignal): void {
    const channel = new BroadcastChannel(name)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels of an origin have none
    const tell = (message: Message) => channel.postMessage(message)
    let isLeading = false
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.type !== 'hello') take(data)
      else if (isLeading && isLive) tell({ type: 'alive' })
    })
    signal.addEventListener('abort', () => channel.close())
    // A tab that was opened later need not wait for the next heartbeat.
    tell({ type: 'hello' })
    const run = async (follow: Follow) => {
      isLeading = true
      await lead(follow, (message) => signal.aborted || tell(message), signal)
    }
    // A tab that waits for the lock, perhaps until after the next deployment, has the code already.
    prepare(signal)
      .then((follow) => navigator.locks.request(name, { signal }, () => run(follow)))
      .catch(() => undefined)
  }

  /** Connects until the returned function is called. `name` is equal for tabs with the same user and merchant only. */
  function start(name: string): () => void {
    const stopping = new AbortController()
    const { signal } = stopping
    const stop = () => {
      stopping.abort()
      setLive(false)
    }
    if ('locks' in navigator && 'BroadcastChannel' in window) share(`debitdesk-changes ${name}`, signal)
    else
      prepare(signal)
        .then((follow) => lead(follow, () => undefined, signal))
        .catch(() => undefined)
    // Also where the connected tab is frozen: it can't say that it hears nothing.
    const timer = setInterval(() => Date.now() - heardAt > MAX_SILENCE_MS && setLive(false), MAX_SILENCE_MS / 8)
    signal.addEventListener('abort', () => clearInterval(timer))
    // A page in the back-forward cache must hold neither a lock nor a connection; restored, it loads anew.
    window.addEventListener('pagehide', stop, { signal })
    return stop
  }

  return {
    start,
    isLive: () => isLive,
    /** Calls `listener` whenever `isLive` changes. */
    onState: state.listen,
    /** Calls `listener` when something of these kinds may have changed. */
    onChange: (kinds: readonly ChangeKind[], listener: Listener): (() => void) => {
      for (const kind of kinds) listeners.set(kind, (listeners.get(kind) ?? new Set()).add(listener))
      return () => {
        for (const kind of kinds) listeners.get(kind)?.delete(listener)
      }
    },
  }
}

export type LiveChanges = ReturnType<typeof createLiveChanges>

/** This tab's. On the server it is never started. */
export const liveChanges = createLiveChanges()
