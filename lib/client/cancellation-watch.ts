import type { CancellationList, CancellationView } from '@/lib/domain/cancellations/cancellation'
import { idKey } from '@/lib/domain/ids'
import { callDesk, CallError } from './api-client'
import { createEmitter } from './emitter'
import type { Changed, LiveChanges } from './live-changes'
import { onSignIn } from './identity-prompt'
import { createKnownCancellations } from './known-cancellations'
import { createReadAgain, mayPass } from './read-again'

type WatchOptions = {
  /** Milliseconds before each poll while nothing changes; the last one repeats. */
  delays?: readonly number[]
  /** What tells of changes; while it is live, open cancellations are polled a few times, then once a minute. */
  live?: Pick<LiveChanges, 'isLive' | 'onState' | 'onChange'> | null
}

const LIVE_DELAY_MS = 60_000
/** A change may be told before the reply that first names the cancellation: these polls without a change come first. */
const MIN_LIVE_POLLS = 4
/** Between two reads of payments that something was told of, as while a bulk runs, and of all that is shown. */
const TOLD_INTERVAL_MS = 1_000
const ANY_INTERVAL_MS = 5_000

/** Ids per request. */
const BATCH_SIZE = 100

/**
 * The cancellations known to this tab, polled while any is open and the page is visible.
 */
export function createCancellationWatch({
  delays = [1_000, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000],
  live = null,
}: WatchOptions = {}) {
  const known = createKnownCancellations()
  const changes = createEmitter()
  let timer: ReturnType<typeof setTimeout> | undefined
  let unchangedPolls = 0
  let isPolling = false
  let isHalted = false
  /** Lists that show every open cancellation, including those that others will start. */
  let listsShown = 0
  /** Payments that were shown by themselves, whose cancellations others may start. */
  const watched = new Set<string>()
  /** Payments that something was told of and that were not read since. */
  const toldOf = new Set<string>()

  function schedulePoll(minDelayMs = 0): void {
    clearTimeout(timer)
    if (isHalted || isPolling || changes.count() === 0 || document.visibilityState === 'hidden') return
    if (known.listOpen().length === 0) return
    const isTold = live?.isLive() && unchangedPolls >= MIN_LIVE_POLLS
    const delay = isTold ? LIVE_DELAY_MS : (delays[Math.min(unchangedPolls, delays.length - 1)] ?? 0)
    timer = setTimeout(() => void poll(), Math.max(delay, minDelayMs))
  }

  function notify(): void {
    known.announce()
    changes.tell()
  }

  /** Fetches all cancellations of these payments. */
  async function fetchCancellations(paymentIds: readonly string[], announces: boolean): Promise<boolean> {
    const askedAt = known.nextRevision()
    const query = new URLSearchParams(paymentIds.map((id) => ['paymentId', id]))
    const { cancellations } = await callDesk<CancellationList>(`/cancellations?${query.toString()}`, { quiet: true })
    known.dropOmitted(cancellations, askedAt)
    return cancellations.map((view) => known.store(view, announces, askedAt)).some(Boolean)
  }

  /** `onRead` is called for each payment once its batch was read, also where a later one fails. */
  async function fetchInBatches(paymentIds: readonly string[], announces: boolean, onRead?: (id: string) => void) {
    let changed = false
    for (let start = 0; start < paymentIds.length; start += BATCH_SIZE) {
      const batch = paymentIds.slice(start, start + BATCH_SIZE)
      changed = (await fetchCancellations(batch, announces)) || changed
      if (onRead) batch.forEach(onRead)
    }
    return changed
  }

  /** For what others requested and is new here, which is shown, not announced: it has ended since the payment was read. */
  function tellIfClosed(paymentId: string): void {
    const view = known.get(paymentId)
    if (view?.closed) known.closed.tell(view)
  }

  /** Reads payments that something was told of: known and shown ones, and where all open ones are shown, also others'. */
  async function fetchTold(): Promise<void> {
    const unread = new Set(toldOf)
    toldOf.clear()
    const others = [...unread].filter((id) => !known.has(id) && (listsShown > 0 || watched.has(idKey(id))))
    try {
      await fetchInBatches([...unread].filter(known.has), true, (id) => unread.delete(id))
      await fetchInBatches(others, false, (id) => {
        unread.delete(id)
        tellIfClosed(id)
      })
    } catch (error) {
      if (mayPass(error)) for (const id of unread) toldOf.add(id)
      throw error
    } finally {
      notify()
      schedulePoll()
    }
  }

  /** Reads whatever may have changed. */
  async function fetchAny(): Promise<void> {
    const received = new Set<string>()
    try {
      if (listsShown > 0) {
        const askedAt = known.nextRevision()
        const { cancellations } = await callDesk<CancellationList>('/cancellations?open=1', { quiet: true })
        for (const view of cancellations) {
          known.store(view, known.has(view.paymentId), askedAt)
          received.add(idKey(view.paymentId))
        }
      }
      const isLeft = (id: string) => !received.has(idKey(id))
      await fetchInBatches(known.listOpen().filter(isLeft), true)
      const others = [...watched].filter((id) => !known.has(id) && isLeft(id))
      await fetchInBatches(others, false, tellIfClosed)
    } finally {
      notify()
      schedulePoll()
    }
  }

  function follow(): () => void {
    if (!live) return () => undefined
    const told = createReadAgain(fetchTold, TOLD_INTERVAL_MS)
    const any = createReadAgain(fetchAny, ANY_INTERVAL_MS)
    const onChange = ({ ids, missed }: Changed) => {
      // The stream opens only for whoever is signed in.
      if (missed) isHalted = false
      if (isHalted) return
      for (const id of ids ?? []) toldOf.add(id)
      if (ids === null) any.request()
      else told.request()
    }
    const stops = [live.onChange(['cancellation'], onChange), live.onState(() => schedulePoll()), told.stop, any.stop]
    return () => {
      for (const stop of stops) stop()
    }
  }

  let unfollow: () => void = () => undefined

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    let retryAfterMs = 0
    try {
      const changed = await fetchInBatches(known.listOpen(), true)
      unchangedPolls = changed ? 0 : unchangedPolls + 1
    } catch (error) {
      unchangedPolls += 1
      // Signed out: polling stops until the user has signed in, looks at the page again or requests something.
      if (error instanceof CallError && error.status === 401) isHalted = true
      if (error instanceof CallError && error.retryAfter !== null) retryAfterMs = error.retryAfter * 1_000
    } finally {
      isPolling = false
      // Changes received before the failure still count.
      notify()
      schedulePoll(retryAfterMs)
    }
  }

  function onVisibilityChange(): void {
    if (document.visibilityState === 'hidden') return clearTimeout(timer)
    // The user may have signed in again in another tab.
    isHalted = false
    if (known.listOpen().length > 0) void poll()
  }

  function resume(): void {
    isHalted = false
    unchangedPolls = 0
    schedulePoll()
  }

  return {
    /** Stores a view from a reply. `label` names the payment in announcements. */
    remember(view: CancellationView, label?: string): void {
      if (label) known.setLabel(view.paymentId, label)
      isHalted = false
      unchangedPolls = 0
      known.store(view, true)
      notify()
      schedulePoll()
    },

    /**
     * Loads the cancellations of shown payments without announcing them, for nothing happened just now. Those that
     * others start later are shown too. Throws CallError.
     */
    async load(paymentIds: readonly string[]): Promise<void> {
      for (const id of paymentIds) watched.add(idKey(id))
      isHalted = false
      await fetchInBatches(paymentIds, false)
      notify()
      schedulePoll()
    },

    /** Tells that a list is shown, which needs the cancellations that others start, until the returned function is called. */
    showList(): () => void {
      listsShown += 1
      return () => {
        listsShown -= 1
      }
    },

    /**
     * Loads every cancellation that is open or needs manual review, including those that others started. Throws
     * CallError.
     */
    async loadOpen(): Promise<void> {
      isHalted = false
      const askedAt = known.nextRevision()
      const { cancellations } = await callDesk<CancellationList>('/cancellations?open=1')
      for (const view of cancellations) known.store(view, false, askedAt)
      notify()
      schedulePoll()
    },

    get: known.get,
    getAnnouncement: known.getAnnouncement,

    /** Subscribes to all changes; polling runs only while somebody is subscribed. */
    subscribe: (subscriber: () => void): (() => void) => {
      const leave = changes.listen(subscriber)
      if (changes.count() === 1) {
        document.addEventListener('visibilitychange', onVisibilityChange)
        const stops = [follow(), onSignIn(resume)]
        unfollow = () => {
          for (const stop of stops) stop()
        }
        schedulePoll()
      }
      return () => {
        leave()
        if (changes.count() > 0) return
        document.removeEventListener('visibilitychange', onVisibilityChange)
        unfollow()
        clearTimeout(timer)
      }
    },

    /** Called for every outcome change, also for simultaneous ones. */
    onOutcomeChange: known.outcomes.listen,

    /** Called once when a cancellation closes, so that its payment can be read again. */
    onClosed: known.closed.listen,
  }
}

export type CancellationWatch = ReturnType<typeof createCancellationWatch>
