import type { ActivityOutcome, ActivityView } from './activity'
import type { Outcome } from '@/lib/domain/cancellations/cancellation'
import { isUuid } from './ids'
import * as words from '@/lib/words/activity-rows'
import { describeOutcome, isOutcomeReason } from './cancellations/cancellation-outcome'

/** What the known actions are called; others are told from their own word. */
export const actionLabels: Readonly<Record<string, string>> = words.actions

/** What was attempted, where it was not done: "Customer deleted: refused" would be untrue. */
const attempts: Readonly<Record<string, string>> = words.attempts

/** "212 more refused sign-ins from 192.0.2.1 in 15 minutes"; null where the row does not say how many. */
function describeRefusals(details: unknown): string | null {
  const [count, minutes, from] = [readText(details, 'count'), readText(details, 'minutes'), read(details, 'from')]
  if (count === null || minutes === null) return null
  const peers = typeof from === 'object' && from !== null ? Object.keys(from) : []
  const isOne = peers.length === 1 && read(details, 'fromOthers') === undefined
  return words.refusedSignIns(count, minutes, isOne ? (peers[0] ?? null) : null)
}

/** What happened, in a few words. */
export function describeAction({
  action,
  outcome,
  details,
}: Pick<ActivityView, 'action' | 'outcome' | 'details'>): string {
  if (action === 'session.refused-more') return describeRefusals(details) ?? words.actions[action]
  const [kind = '', verb = ''] = action.split('.')
  const attempt = Object.hasOwn(attempts, verb) ? attempts[verb] : undefined
  if (attempt !== undefined && outcome !== 'done') return words.tried(attempt, kind)
  const known = Object.hasOwn(actionLabels, action) ? actionLabels[action] : undefined
  if (known !== undefined) return known
  const told = action.replaceAll(/[.-]+/gu, ' ')
  return told.charAt(0).toUpperCase() + told.slice(1)
}

export const activityOutcomeLabels: Record<ActivityOutcome, string> = words.results

function read(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined
}

function readText(holder: unknown, ...names: string[]): string | null {
  const value = names.reduce<unknown>(read, holder)
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
}

const kindWords: Readonly<Record<string, string>> = words.kinds

/**
 * What a row is about, as people would call it: its kind, and its name where the row or the desk knows one, else its id,
 * of which a long one is cut short. Null where it is about nothing in particular.
 */
export function describeObject({ objectKind, objectId, objectName, details }: ActivityView): string | null {
  if (objectId === 'none') return null
  const kind = Object.hasOwn(kindWords, objectKind)
    ? kindWords[objectKind]
    : objectKind.charAt(0).toUpperCase() + objectKind.slice(1)
  const named =
    objectName ?? readText(details, 'answer', 'handle') ?? readText(details, 'fileName') ?? readText(details, 'name')
  // A sign-in has no name, and its id says nothing to anybody.
  if (named === null && objectKind === 'session') return null
  return `${kind} ${named ?? (isUuid(objectId) ? `${objectId.slice(0, 8)}…` : objectId)}`
}

/** Why, as the person said it; null where no reason was asked for. */
export function describeActivityReason({ details }: Pick<ActivityView, 'details'>): string | null {
  return readText(details, 'text')
}

const failures: Readonly<Record<string, string>> = words.failures

function tellFailure(code: string): string {
  return (Object.hasOwn(failures, code) ? failures[code] : undefined) ?? words.noAnswer(code)
}

/** Rows that tell of a read: what the service had answered to the request before stands in the row of that. */
const reads = ['cancellation.read', 'cancellation.cancelled', 'cancellation.not-cancelled', 'cancellation.needs-person']

/** What a read of the payment showed, or, of a read that decided nothing, why it showed nothing. */
function readWhatWasShown(action: string, shown: unknown): string | null {
  const [kind, status] = [readText(shown, 'kind'), readText(shown, 'status')]
  if (status !== null) return words.showed(status)
  if (action !== 'cancellation.read') return null
  if (kind === 'absent') return words.notShown
  if (kind !== 'unreadable') return null
  const why = readText(shown, 'why') ?? kind
  const code = /^status-(\d+)$/u.exec(why)?.[1]
  return code === undefined ? tellFailure(why) : words.answered(code)
}

/** The rows that end a cancellation for a reason, and the outcome that they tell. */
const ends: Readonly<Record<string, Outcome>> = {
  'cancellation.not-cancelled': 'not-cancelled',
  'cancellation.needs-person': 'needs-person',
}

/** Why a cancellation ended as it did, where the row says so in a way that is known. */
function readEnd(action: string, details: unknown): string | null {
  const outcome = Object.hasOwn(ends, action) ? ends[action] : undefined
  const reason = readText(details, 'reason')
  if (outcome === undefined || reason === null || !isOutcomeReason(reason)) return null
  const evidence = read(details, 'evidence')
  const told = readText(evidence, 'reply', 'detail') ?? readText(evidence, 'reply', 'title')
  return describeOutcome({ outcome, reason, detail: told ?? readText(evidence, 'read', 'status') })
}

/** What a person has found: by a look of the desk's, or in their own words. */
function readFinding(action: string, details: unknown): string | null {
  if (action === 'cancellation.handled') return readText(details, 'note')
  return action === 'cancellation.checked' ? readWhatWasShown('cancellation.read', read(details, 'read')) : null
}

/**
 * What the service answered, or showed when it was read: its status, and its own words; of an end why it ended so, and
 * of what a person did what they found. Null where there is nothing to tell.
 */
export function describeActivityResult({ action, details }: Pick<ActivityView, 'action' | 'details'>): string | null {
  const known = readEnd(action, details) ?? readFinding(action, details)
  if (known !== null) return known
  const shown = reads.includes(action) ? readWhatWasShown(action, read(read(details, 'evidence'), 'read')) : null
  if (shown !== null) return shown
  const replies = [read(read(details, 'evidence'), 'reply'), read(details, 'answer')]
  for (const reply of replies) {
    const status = readText(reply, 'status')
    const told = readText(reply, 'detail') ?? readText(reply, 'title')
    if (status !== null) return words.answered(told === null ? status : `${status}, ${told}`)
  }
  const code = readText(details, 'answer', 'code') ?? readText(details, 'evidence', 'failure')
  return code === null ? null : tellFailure(code)
}
