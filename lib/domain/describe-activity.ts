import type { ActivityOutcome, ActivityView } from './activity'
import type { Outcome } from '@/lib/domain/cancellations/cancellation'
import { isUuid } from './ids'
import * as words from '@/lib/words/activity-rows'
import { describeOutcome, isOutcomeReason } from './cancellations/cancellation-outcome'

/** Labels of the known actions; others are derived from the action's name. */
export const actionLabels: Readonly<Record<string, string>> = words.actions

/** Labels of attempts that were not done: "Customer deleted: refused" would be untrue. */
const attempts: Readonly<Record<string, string>> = words.attempts

/** "212 more refused sign-ins from 192.0.2.1 in 15 minutes"; null when the row has no count. */
function describeRefusals(details: unknown): string | null {
  const [count, minutes, from] = [getText(details, 'count'), getText(details, 'minutes'), getMember(details, 'from')]
  if (count === null || minutes === null) return null
  const peers = typeof from === 'object' && from !== null ? Object.keys(from) : []
  const isOne = peers.length === 1 && getMember(details, 'fromOthers') === undefined
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
  const derived = action.replaceAll(/[.-]+/gu, ' ')
  return derived.charAt(0).toUpperCase() + derived.slice(1)
}

export const activityOutcomeLabels: Record<ActivityOutcome, string> = words.results

function getMember(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined
}

function getText(holder: unknown, ...names: string[]): string | null {
  const value = names.reduce<unknown>(getMember, holder)
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
}

const kindLabels: Readonly<Record<string, string>> = words.kinds

/**
 * The object of a row: its kind, and its name if the row or the desk knows one, else its id, shortened if it is a UUID.
 * Null when the row is about nothing in particular.
 */
export function describeObject({ objectKind, objectId, objectName, details }: ActivityView): string | null {
  if (objectId === 'none') return null
  const kind = Object.hasOwn(kindLabels, objectKind)
    ? kindLabels[objectKind]
    : objectKind.charAt(0).toUpperCase() + objectKind.slice(1)
  const named =
    objectName ?? getText(details, 'answer', 'handle') ?? getText(details, 'fileName') ?? getText(details, 'name')
  // A session has no name, and its id means nothing to people.
  if (named === null && objectKind === 'session') return null
  return `${kind} ${named ?? (isUuid(objectId) ? `${objectId.slice(0, 8)}…` : objectId)}`
}

/** The reason that the person gave; null when none was asked for. */
export function describeActivityReason({ details }: Pick<ActivityView, 'details'>): string | null {
  return getText(details, 'text')
}

const failures: Readonly<Record<string, string>> = words.failures

function describeFailure(code: string): string {
  return (Object.hasOwn(failures, code) ? failures[code] : undefined) ?? words.noAnswer(code)
}

/** Rows about a read. The service's reply to the request before it is in the row of that request. */
const reads = ['cancellation.read', 'cancellation.cancelled', 'cancellation.not-cancelled', 'cancellation.needs-person']

/** The state that a read of the payment showed, or why a read that decided nothing showed none. */
function describeRead(action: string, shown: unknown): string | null {
  const [kind, status] = [getText(shown, 'kind'), getText(shown, 'status')]
  if (status !== null) return words.showed(status)
  if (action !== 'cancellation.read') return null
  if (kind === 'absent') return words.notShown
  if (kind !== 'unreadable') return null
  const why = getText(shown, 'why') ?? kind
  const code = /^status-(\d+)$/u.exec(why)?.[1]
  return code === undefined ? describeFailure(why) : words.answered(code)
}

/** Rows that end a cancellation with a reason, and their outcomes. */
const endings: Readonly<Record<string, Outcome>> = {
  'cancellation.not-cancelled': 'not-cancelled',
  'cancellation.needs-person': 'needs-person',
}

/** Why a cancellation ended as it did; null when the row has no known reason. */
function describeEnding(action: string, details: unknown): string | null {
  const outcome = Object.hasOwn(endings, action) ? endings[action] : undefined
  const reason = getText(details, 'reason')
  if (outcome === undefined || reason === null || !isOutcomeReason(reason)) return null
  const evidence = getMember(details, 'evidence')
  const message = getText(evidence, 'reply', 'detail') ?? getText(evidence, 'reply', 'title')
  return describeOutcome({ outcome, reason, detail: message ?? getText(evidence, 'read', 'status') })
}

/** What a person found: by a check in the desk, or in their own note. */
function describeFinding(action: string, details: unknown): string | null {
  if (action === 'cancellation.handled') return getText(details, 'note')
  return action === 'cancellation.checked' ? describeRead('cancellation.read', getMember(details, 'read')) : null
}

/**
 * The result of a row: the status and message that the service answered or showed when read, why a cancellation ended,
 * or what a person found. Null when there is none.
 */
export function describeActivityResult({ action, details }: Pick<ActivityView, 'action' | 'details'>): string | null {
  const known = describeEnding(action, details) ?? describeFinding(action, details)
  if (known !== null) return known
  const shown = reads.includes(action) ? describeRead(action, getMember(getMember(details, 'evidence'), 'read')) : null
  if (shown !== null) return shown
  const replies = [getMember(getMember(details, 'evidence'), 'reply'), getMember(details, 'answer')]
  for (const reply of replies) {
    const status = getText(reply, 'status')
    const message = getText(reply, 'detail') ?? getText(reply, 'title')
    if (status !== null) return words.answered(message === null ? status : `${status}, ${message}`)
  }
  const code = getText(details, 'answer', 'code') ?? getText(details, 'evidence', 'failure')
  return code === null ? null : describeFailure(code)
}
