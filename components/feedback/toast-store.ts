import { createEmitter } from '@/lib/client/emitter'
import { keep, takeText } from '@/lib/client/kept-text'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'

/** A past confirmation or cancellation outcome, whose reason is put into words where it is read again; `at` is an ISO timestamp. */
export type PastNotice = { title: string; text: string; at: string; outcome?: CancellationView }

const MAX_NOTICES = 50
const pastNotices: PastNotice[] = []

/** Notices since the page load, newest first: a load, and with it another user, starts empty. */
export function readPastNotices(): readonly PastNotice[] {
  return pastNotices
}

/** Records a notice, so that it can be read again. */
export function recordNotice(notice: PastNotice): void {
  pastNotices.unshift(notice)
  pastNotices.splice(MAX_NOTICES)
}

/** Where to go on from a toast; `href` is an internal address. */
type ToastLink = { name: string; href: string }

type ToastNotice = {
  title: string
  text: string
  /** `brief`, `brief-fault` and `undo` disappear soon and are not recorded; `fault` stays until closed. */
  kind: 'done' | 'brief' | 'undo' | 'brief-fault' | 'fault'
  undo?: () => void
  /** Aborted where there is nothing left to undo. */
  signal?: AbortSignal | undefined
  link?: ToastLink
}

const pending: ToastNotice[] = []
const added = createEmitter()

function notify(notice: ToastNotice): void {
  pending.push(notice)
  if (notice.kind === 'done' || notice.kind === 'fault')
    recordNotice({ title: notice.title, text: notice.text, at: new Date().toISOString() })
  added.tell()
}

/** Confirms a change, such as "Customer saved", on whatever page comes next: `Toaster` in the shell shows it. */
export function showToast(
  title: string,
  text = '',
  { isBrief = false, link }: { isBrief?: boolean; link?: ToastLink } = {},
): void {
  notify({ title, text, kind: isBrief ? 'brief' : 'done', ...(link && { link }) })
}

/** Confirms a change on the page that is loaded next, if it is the same person's. */
export function showToastAfterLoad(title: string): void {
  keep('toast', title)
}

/** Shows what the page before this one wanted to confirm. */
export function showToastOfPageBefore(): void {
  const title = takeText('toast')
  if (title !== null) showToast(title)
}

/** Says what a key press undid, with a button that brings it back; withdrawn once `signal` is aborted. */
export function showUndoToast(title: string, undo: () => void, signal?: AbortSignal): void {
  notify({ title, text: '', kind: 'undo', undo, signal })
}

/** Reports an error whose page or dialog was left before the reply came, or briefly one that is seen anyway. */
export function showErrorToast(
  title: string,
  text: string,
  { isBrief = false, link }: { isBrief?: boolean; link?: ToastLink } = {},
): void {
  notify({ title, text, kind: isBrief ? 'brief-fault' : 'fault', ...(link && { link }) })
}

/** Takes the toasts not shown yet. */
export function takePendingToasts(): readonly ToastNotice[] {
  return pending.splice(0).filter(({ signal }) => !signal?.aborted)
}

/** The titles of the toasts not shown yet. */
export function readPendingTitles(): readonly string[] {
  return pending.map(({ title }) => title)
}

export function hasPendingToasts(): boolean {
  return pending.length > 0
}

/** Drops pending toasts except faults. */
export function dropConfirmations(): void {
  pending.push(...pending.splice(0).filter(({ kind }) => kind === 'fault'))
}

/** Subscribes to new toasts; returns the unsubscribe function. */
export const onToast = added.listen
