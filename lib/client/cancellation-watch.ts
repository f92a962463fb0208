import type { CancellationList, CancellationView } from '@/lib/domain/cancellations/cancellation'
import { pickCurrentCancellation } from '@/lib/domain/cancellations/current-cancellation'
import { idKey } from '@/lib/domain/ids'
import { isUrgent, joinOutcomes, outcomeLabel } from '@/lib/domain/cancellations/cancellation-outcome'
import { callDesk, CallError } from './api-client'

/** The last announcement of the live region; `sequence` tells two equal texts apart. */
export type Announcement = { sequence: number; text: string; view: CancellationView }

type Options = {
  /** Milliseconds before each poll while nothing changes; the last one repeats. */
  delays?: readonly number[]
}

/** Ids per request. */
const batchSize = 100

/** An outcome change; `isNamed`: the text names the payment. */
export type OutcomeChange = { text: string; view: CancellationView; isNamed: boolean }

/** A reply that was requested before a person checked or handled the cancellation must not undo that. */
function keepReviewed(view: CancellationView, before: CancellationView): CancellationView {
  const isOlder = (view.checked?.at ?? '') < (before.checked?.at ?? '')
  return { ...view, handled: view.handled ?? before.handled, checked: isOlder ? before.checked : view.checked }
}

/**
 * The cancellations known to this tab: the current one of each payment, polled while any is open and the page is
 * visible. Every outcome change is announced once; simultaneous ones share a sentence, failures first, and more than
 * five are counted.
 */
export function createCancellationWatch({
  delays = [1_000, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000],
}: Options = {}) {
  /** Known cancellations by payment and id, each with the revision at which it was stored. */
  const known = new Map<string, Map<string, { view: CancellationView; at: number }>>()
  let learnt = 0
  /** The current cancellation of each payment. */
  const current = new Map<string, CancellationView>()
  const labels = new Map<string, string>()
  const subscribers = new Set<() => void>()
  const closedListeners = new Set<(view: CancellationView) => void>()
  const toldListeners = new Set<(told: OutcomeChange) => void>()
  let version = 0
  let announcement: Announcement | null = null
  /** Changes not announced yet. */
  let unsaid: OutcomeChange[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let quietLooks = 0
  let asking = false
  let halted = false

  function getOpenIds(): string[] {
    return [...current.values()].filter((view) => !view.closed).map((view) => view.paymentId)
  }

  function schedule(atLeast = 0): void {
    clearTimeout(timer)
    if (halted || asking || subscribers.size === 0 || document.visibilityState === 'hidden') return
    if (getOpenIds().length === 0) return
    const delay = delays[Math.min(quietLooks, delays.length - 1)] ?? 0
    timer = setTimeout(() => void look(), Math.max(delay, atLeast))
  }

  /**
   * Stores a view and returns whether its outcome changed. A closed cancellation never reopens, and an older one is
   * not announced.
   */
  function store(told: CancellationView, isNews: boolean): boolean {
    const payment = idKey(told.paymentId)
    const entries = known.get(payment) ?? new Map<string, { view: CancellationView; at: number }>()
    const before = entries.get(told.id)?.view
    if (before?.closed && !told.closed) return false
    const view = before ? keepReviewed(told, before) : told
    const isLatest = [...entries.values()].every((entry) => entry.view.requestedAt <= view.requestedAt)
    learnt += 1
    known.set(payment, entries.set(view.id, { view, at: learnt }))
    current.set(payment, pickCurrentCancellation([...entries.values()].map((entry) => entry.view)) ?? view)
    if (JSON.stringify(before) !== JSON.stringify(view)) version += 1
    const changed = before?.outcome !== view.outcome
    if (!isNews || !(isLatest || before)) return changed
    if (changed) {
      const label = labels.get(payment)
      const text = label ? `${outcomeLabel(view)}: ${label}` : outcomeLabel(view)
      const change = { text, view, isNamed: label !== undefined }
      unsaid.push(change)
      for (const listener of toldListeners) listener(change)
    }
    if (view.closed && !before?.closed) {
      for (const listener of closedListeners) listener(view)
    }
    return changed
  }

  /** Merges pending changes into one announcement, with the severity of the gravest. */
  function announce(): void {
    const grave = unsaid.filter(({ view }) => isUrgent(view.outcome))
    const told = [...grave, ...unsaid.filter(({ view }) => !isUrgent(view.outcome))]
    const [first] = told
    if (!first) return
    const text = joinOutcomes(told.map((one) => one.text))
    announcement = { sequence: (announcement?.sequence ?? 0) + 1, text, view: first.view }
    unsaid = []
  }

  function notify(): void {
    announce()
    for (const subscriber of subscribers) subscriber()
  }

  /**
   * Fetches all cancellations of these payments. One that the reply omits, and that was known before the request, has
   * been superseded and is dropped.
   */
  async function ask(paymentIds: readonly string[], isNews: boolean): Promise<boolean> {
    const asked = learnt
    const query = new URLSearchParams(paymentIds.map((id) => ['paymentId', id]))
    const { cancellations } = await callDesk<CancellationList>(`/cancellations?${query.toString()}`, { quiet: true })
    const told = new Set(cancellations.map(({ id }) => id))
    for (const payment of new Set(cancellations.map(({ paymentId }) => idKey(paymentId)))) {
      const entries = known.get(payment)
      for (const [id, { at }] of entries ?? []) if (at <= asked && !told.has(id)) entries?.delete(id)
    }
    return cancellations.map((view) => store(view, isNews)).some(Boolean)
  }

  async function look(): Promise<void> {
    if (asking) return
    asking = true
    let wait = 0
    try {
      const ids = getOpenIds()
      let changed = false
      for (let start = 0; start < ids.length; start += batchSize) {
        changed = (await ask(ids.slice(start, start + batchSize), true)) || changed
      }
      quietLooks = changed ? 0 : quietLooks + 1
    } catch (error) {
      quietLooks += 1
      // Signed out: polling stops until the page reloads or something is requested.
      if (error instanceof CallError && error.status === 401) halted = true
      if (error instanceof CallError && error.retryAfter !== null) wait = error.retryAfter * 1_000
    } finally {
      asking = false
      // Changes received before the failure still count.
      notify()
      schedule(wait)
    }
  }

  function onVisibility(): void {
    if (document.visibilityState === 'hidden') clearTimeout(timer)
    else if (getOpenIds().length > 0) void look()
  }

  return {
    /** Stores a view from a reply. `label` names the payment in announcements. */
    remember(view: CancellationView, label?: string): void {
      if (label) labels.set(idKey(view.paymentId), label)
      halted = false
      quietLooks = 0
      store(view, true)
      notify()
      schedule()
    },

    /**
     * Loads the cancellations of shown payments without announcing them, for nothing happened just now. Throws
     * CallError.
     */
    async load(paymentIds: readonly string[]): Promise<void> {
      halted = false
      for (let start = 0; start < paymentIds.length; start += batchSize) {
        await ask(paymentIds.slice(start, start + batchSize), false)
      }
      notify()
      schedule()
    },

    /**
     * Loads every cancellation that is open or needs manual review, including those that others started. Throws
     * CallError.
     */
    async loadOpen(): Promise<void> {
      halted = false
      const { cancellations } = await callDesk<CancellationList>('/cancellations?open=1')
      for (const view of cancellations) store(view, false)
      notify()
      schedule()
    },

    /** The current cancellation of a payment; with `id`, that one if it is known. */
    get: (paymentId: string, id?: string): CancellationView | null => {
      const own = id === undefined ? undefined : known.get(idKey(paymentId))?.get(id)?.view
      return own ?? current.get(idKey(paymentId)) ?? null
    },

    /** Increases with every change; 0 while nothing is known. */
    getVersion: (): number => version,

    getAnnouncement: (): Announcement | null => announcement,

    /** Subscribes to all changes; polling runs only while somebody is subscribed. */
    subscribe: (subscriber: () => void): (() => void) => {
      subscribers.add(subscriber)
      if (subscribers.size === 1) {
        document.addEventListener('visibilitychange', onVisibility)
        schedule()
      }
      return () => {
        subscribers.delete(subscriber)
        if (subscribers.size > 0) return
        document.removeEventListener('visibilitychange', onVisibility)
        clearTimeout(timer)
      }
    },

    /** Called for every outcome change, also for simultaneous ones. */
    onTold(listener: (told: OutcomeChange) => void): () => void {
      toldListeners.add(listener)
      return () => toldListeners.delete(listener)
    },

    /** Called once when a cancellation closes, so that its payment can be read again. */
    onClosed(listener: (view: CancellationView) => void): () => void {
      closedListeners.add(listener)
      return () => closedListeners.delete(listener)
    },
  }
}

export type CancellationWatch = ReturnType<typeof createCancellationWatch>
