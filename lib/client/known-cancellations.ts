import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { isUrgent, joinOutcomes, outcomeLabel } from '@/lib/domain/cancellations/cancellation-outcome'
import { pickCurrentCancellation } from '@/lib/domain/cancellations/current-cancellation'
import { idKey } from '@/lib/domain/ids'
import { createEmitter } from './emitter'

/** The last announcement of the live region; `sequence` tells two equal texts apart. */
export type Announcement = { sequence: number; text: string; view: CancellationView }

/** An outcome change; `isNamed`: the text names the payment. */
export type OutcomeChange = { text: string; view: CancellationView; isNamed: boolean }

/** A reply that was requested before a person checked or handled the cancellation must not undo that. */
function keepNewerReview(view: CancellationView, before: CancellationView): CancellationView {
  const isOlder = (view.checked?.at ?? '') < (before.checked?.at ?? '')
  return { ...view, handled: view.handled ?? before.handled, checked: isOlder ? before.checked : view.checked }
}

/** The cancellations known to this tab, the current one of each payment, and what is announced of them. */
export function createKnownCancellations() {
  /** Known cancellations by payment and id, each with the revision at which it was asked for. */
  const known = new Map<string, Map<string, { view: CancellationView; revision: number }>>()
  let revision = 0
  /** The current cancellation of each payment. */
  const current = new Map<string, CancellationView>()
  const labels = new Map<string, string>()
  const closed = createEmitter<CancellationView>()
  const outcomes = createEmitter<OutcomeChange>()
  let announcement: Announcement | null = null
  /** Changes not announced yet. */
  let pendingChanges: OutcomeChange[] = []

  function nextRevision(): number {
    revision += 1
    return revision
  }

  /**
   * Stores a view and returns whether its outcome changed. A closed cancellation never reopens, an open view is not
   * replaced by one that was asked for earlier, and an older cancellation is not announced.
   */
  function store(received: CancellationView, announces: boolean, askedAt = nextRevision()): boolean {
    const payment = idKey(received.paymentId)
    const entries = known.get(payment) ?? new Map<string, { view: CancellationView; revision: number }>()
    const entry = entries.get(received.id)
    const before = entry?.view
    if (entry && !received.closed && (entry.view.closed || entry.revision > askedAt)) return false
    const view = before ? keepNewerReview(received, before) : received
    const isLatest = [...entries.values()].every((entry) => entry.view.requestedAt <= view.requestedAt)
    known.set(payment, entries.set(view.id, { view, revision: Math.max(entry?.revision ?? 0, askedAt) }))
    current.set(payment, pickCurrentCancellation([...entries.values()].map((entry) => entry.view)) ?? view)
    const changed = before?.outcome !== view.outcome
    if (!announces || !(isLatest || before)) return changed
    if (changed) {
      const label = labels.get(payment)
      const text = label ? `${outcomeLabel(view)}: ${label}` : outcomeLabel(view)
      const change = { text, view, isNamed: label !== undefined }
      pendingChanges.push(change)
      outcomes.tell(change)
    }
    if (view.closed && !before?.closed) closed.tell(view)
    return changed
  }

  /**
   * Announces every outcome change once: simultaneous ones share a sentence, failures first and with the severity of the
   * gravest; more than five are counted.
   */
  function announce(): void {
    const grave = pendingChanges.filter(({ view }) => isUrgent(view.outcome))
    const ordered = [...grave, ...pendingChanges.filter(({ view }) => !isUrgent(view.outcome))]
    const [first] = ordered
    if (!first) return
    const text = joinOutcomes(ordered.map((one) => one.text))
    announcement = { sequence: (announcement?.sequence ?? 0) + 1, text, view: first.view }
    pendingChanges = []
  }

  return {
    nextRevision,
    store,
    announce,
    closed,
    outcomes,

    /** Names a payment in announcements. */
    setLabel: (paymentId: string, label: string): void => void labels.set(idKey(paymentId), label),

    /** Drops what a reply with all cancellations of its payments omits and was known before the request: it was superseded. */
    dropOmitted(reply: readonly CancellationView[], askedAt: number): void {
      const received = new Set(reply.map(({ id }) => id))
      for (const payment of new Set(reply.map(({ paymentId }) => idKey(paymentId)))) {
        const entries = known.get(payment)
        for (const [id, entry] of entries ?? []) if (entry.revision < askedAt && !received.has(id)) entries?.delete(id)
      }
    },

    has: (paymentId: string): boolean => known.has(idKey(paymentId)),

    /** The payments whose current cancellation is open. */
    listOpen: (): string[] => [...current.values()].filter((view) => !view.closed).map((view) => view.paymentId),

    /** The current cancellation of a payment; with `id`, that one if it is known. */
    get: (paymentId: string, id?: string): CancellationView | null => {
      const own = id === undefined ? undefined : known.get(idKey(paymentId))?.get(id)?.view
      return own ?? current.get(idKey(paymentId)) ?? null
    },

    getAnnouncement: (): Announcement | null => announcement,
  }
}
