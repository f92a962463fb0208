import { backgroundRequestHeader } from '@/lib/domain/accounts'
import { type ChangeEvent, MAX_SILENCE_MS, OVER_FRAME } from '@/lib/domain/changes'
import { FIRST_WAIT_MS, pauseAfter } from './page-lifecycle'
import { getRequestHeaders } from './page-context'

/** Until the desk is asked again where it hears of no changes (204), and where the page may not ask, or no longer. */
const UNHEARD_WAIT_MS = 5 * 60_000
const REFUSED_WAIT_MS = 60_000

/** How long to wait after a reply that is no stream, in milliseconds. */
function chooseWait({ status, headers }: Response): number {
  const retryAfter = Number(headers.get('retry-after')) * 1_000
  if (retryAfter > 0) return retryAfter
  if (status === 204) return UNHEARD_WAIT_MS
  return status < 500 ? REFUSED_WAIT_MS : FIRST_WAIT_MS
}

/** Reports of a connection to the event stream. */
export type StreamListener = {
  onOpen: () => void
  /** Anything arrived, if only a heartbeat. */
  onSignOfLife: () => void
  onEvent: (event: ChangeEvent) => void
  onLost: () => void
}

/** Guarantee: `data` is the data of one complete event of our own route. */
function parseEvent(data: string): ChangeEvent {
  return JSON.parse(data) as ChangeEvent
}

/** Calls `abort` unless `alive` is called at least every MAX_SILENCE_MS; a machine that slept notices on waking. */
function watchSilence(abort: () => void): { alive: () => void; stop: () => void } {
  let heardAt = Date.now()
  const timer = setInterval(() => Date.now() - heardAt > MAX_SILENCE_MS && abort(), MAX_SILENCE_MS / 8)
  return {
    alive: () => {
      heardAt = Date.now()
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Follows the stream until it ends, breaks off or falls silent. Resolves to the milliseconds to wait at least before the
 * next attempt; never rejects.
 */
async function followOnce(listener: StreamListener, signal: AbortSignal): Promise<number> {
  const silence = new AbortController()
  const watch = watchSilence(() => silence.abort())
  let isOpen = false
  let isOver = false
  try {
    // EventSource could send neither the page's user nor that the request must not prolong the session.
    const response = await fetch('/api/desk/events', {
      headers: { accept: 'text/event-stream', ...getRequestHeaders(), [backgroundRequestHeader]: '1' },
      signal: AbortSignal.any([signal, silence.signal]),
      redirect: 'error',
      cache: 'no-store',
    })
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel()
      return chooseWait(response)
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      watch.alive()
      // A proxy may answer by itself: the stream is there once its first bytes are.
      if (!isOpen) listener.onOpen()
      isOpen = true
      listener.onSignOfLife()
      const frames = (rest + chunk.value).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) if (frame.startsWith('data: ')) listener.onEvent(parseEvent(frame.slice(6)))
      isOver ||= frames.includes(OVER_FRAME)
    }
    return isOver ? REFUSED_WAIT_MS : 0
  } catch {
    return 0
  } finally {
    watch.stop()
    if (isOpen) listener.onLost()
  }
}

/** Follows the stream, connecting again after each loss with growing, randomised waits, until `signal` aborts. */
export async function followChanges(listener: StreamListener, signal: AbortSignal): Promise<void> {
  let attempts = 0
  const counted = {
    ...listener,
    onOpen: () => {
      attempts = 0
      listener.onOpen()
    },
  }
  while (!signal.aborted) {
    const atLeast = await followOnce(counted, signal)
    await pauseAfter(attempts, atLeast, signal)
    attempts += 1
  }
}
