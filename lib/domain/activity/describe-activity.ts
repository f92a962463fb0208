import { roles } from '@/lib/api-contract/permission'
import type { Message } from '@/lib/language/runtime'
import type { ActivityOutcome, ActivityView } from './activity'
import type { Outcome } from '@/lib/domain/cancellations/cancellation'
import { shortenId } from '../ids'
import { describeCounts, describeHold } from '../customers/describe-import'
import { describeOutcome, isOutcomeReason } from '../cancellations/outcome-reasons'
import { describeState } from '../states'
import { roleNames } from '../roles'
import * as m from '@/lib/messages/m'

/** Labels of the known actions; others are derived from the action's name. */
export const actionLabels: Readonly<Record<string, Message>> = {
  'note.added': m.activityRows_actionsNoteAdded,
  'note.done': m.activityRows_actionsNoteDone,
  'note.reopened': m.activityRows_actionsNoteReopened,
  'note.deleted': m.activityRows_actionsNoteDeleted,
  'cancellation.intended': m.activityRows_actionsCancellationIntended,
  'cancellation.sending': m.activityRows_actionsCancellationSending,
  'cancellation.waiting': m.activityRows_actionsCancellationWaiting,
  'cancellation.accepted': m.activityRows_actionsCancellationAccepted,
  'cancellation.declined': m.activityRows_actionsCancellationDeclined,
  'cancellation.unknown': m.activityRows_actionsCancellationUnknown,
  'cancellation.read': m.activityRows_actionsCancellationRead,
  'cancellation.cancelled': m.activityRows_actionsCancellationCancelled,
  'cancellation.not-cancelled': m.activityRows_actionsCancellationNotCancelled,
  'cancellation.needs-person': m.activityRows_actionsCancellationNeedsPerson,
  'cancellation.checked': m.activityRows_actionsCancellationChecked,
  'cancellation.handled': m.activityRows_actionsCancellationHandled,
  'session.started': m.activityRows_actionsSessionStarted,
  'session.refused': m.activityRows_actionsSessionRefused,
  'session.refused-more': m.activityRows_actionsSessionRefusedMore,
  'session.locked-out': m.activityRows_actionsSessionLockedOut,
  'session.ended': m.activityRows_actionsSessionEnded,
  'session.proven': m.activityRows_actionsSessionProven,
  'session.proof-refused': m.activityRows_actionsSessionProofRefused,
  'session.factor-proven': m.activityRows_actionsSessionFactorProven,
  'session.factor-refused': m.activityRows_actionsSessionFactorRefused,
  'user.factor-added': m.activityRows_actionsUserFactorAdded,
  'user.factor-removed': m.activityRows_actionsUserFactorRemoved,
  'user.factor-reset': m.activityRows_actionsUserFactorReset,
  'user.factor-reset-requested': m.activityRows_actionsUserFactorResetRequested,
  'user.factor-reset-withdrawn': m.activityRows_actionsUserFactorResetWithdrawn,
  'user.recovery-codes-made': m.activityRows_actionsUserRecoveryCodesMade,
  'setting.factor-rule': m.activityRows_actionsSettingFactorRule,
  'access.denied': m.activityRows_actionsAccessDenied,
  'customer.create': m.activityRows_actionsCustomerCreate,
  'customer.update': m.activityRows_actionsCustomerUpdate,
  'customer.delete': m.activityRows_actionsCustomerDelete,
  'agreement.create': m.activityRows_actionsAgreementCreate,
  'agreement.delete': m.activityRows_actionsAgreementDelete,
  'merchant.create': m.activityRows_actionsMerchantCreate,
  'merchant.added': m.activityRows_actionsMerchantAdded,
  'merchant.changed': m.activityRows_actionsMerchantChanged,
  'merchant.removed': m.activityRows_actionsMerchantRemoved,
  'merchant.refused': m.activityRows_actionsMerchantRefused,
  'webhook.subscribe': m.activityRows_actionsWebhookSubscribe,
  'webhook.unsubscribe': m.activityRows_actionsWebhookUnsubscribe,
  'import.start': m.activityRows_actionsImportStart,
  'import.stop': m.activityRows_actionsImportStop,
  'import.resume': m.activityRows_actionsImportResume,
  'import.end': m.activityRows_actionsImportEnd,
  'import.hold': m.activityRows_actionsImportHold,
  'import.found': m.activityRows_actionsImportFound,
  'import.line-send-again': m.activityRows_actionsImportLineSendAgain,
  'import.line-created': m.activityRows_actionsImportLineCreated,
  'import.line-leave-out': m.activityRows_actionsImportLineLeaveOut,
  'bulk.created': m.activityRows_actionsBulkCreated,
  'bulk.approval-requested': m.activityRows_actionsBulkApprovalRequested,
  'bulk.approved': m.activityRows_actionsBulkApproved,
  'bulk.approval-declined': m.activityRows_actionsBulkApprovalDeclined,
  'bulk.approval-withdrawn': m.activityRows_actionsBulkApprovalWithdrawn,
  'bulk.approval-expired': m.activityRows_actionsBulkApprovalExpired,
  'bulk.started': m.activityRows_actionsBulkStarted,
  'bulk.paused': m.activityRows_actionsBulkPaused,
  'bulk.resumed': m.activityRows_actionsBulkResumed,
  'bulk.stopped': m.activityRows_actionsBulkStopped,
  'bulk.finished': m.activityRows_actionsBulkFinished,
  'user.added': m.activityRows_actionsUserAdded,
  'user.invited': m.activityRows_actionsUserInvited,
  'user.joined': m.activityRows_actionsUserJoined,
  'user.removed': m.activityRows_actionsUserRemoved,
  'user.disabled': m.activityRows_actionsUserDisabled,
  'user.enabled': m.activityRows_actionsUserEnabled,
  'user.role-changed': m.activityRows_actionsUserRoleChanged,
  'user.access-reset': m.activityRows_actionsUserAccessReset,
  'user.password-set': m.activityRows_actionsUserPasswordSet,
  'user.password-changed': m.activityRows_actionsUserPasswordChanged,
  'user.sessions-ended': m.activityRows_actionsUserSessionsEnded,
  'token.made': m.activityRows_actionsTokenMade,
  'token.revoked': m.activityRows_actionsTokenRevoked,
  'token.refused': m.activityRows_actionsTokenRefused,
  'person.erasing': m.activityRows_actionsPersonErasing,
  'person.erased': m.activityRows_actionsPersonErased,
  'person.exported': m.activityRows_actionsPersonExported,
  'person.rewritten': m.activityRows_actionsPersonRewritten,
  'retention.swept': m.activityRows_actionsRetentionSwept,
  'setting.changed': m.activityRows_actionsSettingChanged,
  'setting.approval-rule': m.activityRows_actionsSettingApprovalRule,
  'setting.resealed': m.activityRows_actionsSettingResealed,
  'setting.restored': m.activityRows_actionsSettingRestored,
  'setting.inbox-address': m.activityRows_actionsSettingInboxAddress,
  'setting.signing-secret': m.activityRows_actionsSettingSigningSecret,
  'setting.signing-secret-arrived': m.activityRows_actionsSettingSigningSecretArrived,
  'setting.signing-secret-proven': m.activityRows_actionsSettingSigningSecretProven,
  'setting.signing-secret-removed': m.activityRows_actionsSettingSigningSecretRemoved,
  'export.activity': m.activityRows_actionsExportActivity,
  'export.start': m.activityRows_actionsExportStart,
  'export.resume': m.activityRows_actionsExportResume,
  'export.end': m.activityRows_actionsExportEnd,
  'export.schedule': m.activityRows_actionsExportSchedule,
  'export.unschedule': m.activityRows_actionsExportUnschedule,
  'export.take': m.activityRows_actionsExportTake,
  'view.save': m.activityRows_actionsViewSave,
  'view.rename': m.activityRows_actionsViewRename,
  'view.update': m.activityRows_actionsViewUpdate,
  'view.delete': m.activityRows_actionsViewDelete,
}

/** Labels of attempts that were not done: "Customer deleted: refused" would be untrue. */
const attempts = ['create', 'update', 'delete', 'subscribe', 'unsubscribe']

/** "212 more refused sign-ins from 192.0.2.1 in 15 minutes"; null when the row has no count. */
function describeRefusals(details: unknown): string | null {
  const [count, minutes, from] = [getText(details, 'count'), getText(details, 'minutes'), getMember(details, 'from')]
  if (count === null || minutes === null) return null
  const peers = typeof from === 'object' && from !== null ? Object.keys(from) : []
  const isOne = peers.length === 1 && getMember(details, 'fromOthers') === undefined
  const values = { count: Number(count), minutes: Number(minutes) }
  const [peer] = isOne ? peers : []
  return peer === undefined
    ? m.activityRows_refusedSignIns(values)
    : m.activityRows_refusedSignInsFrom({ ...values, peer })
}

/** What happened, in a few words. */
export function describeAction({
  action,
  outcome,
  details,
}: Pick<ActivityView, 'action' | 'outcome' | 'details'>): string {
  if (action === 'session.refused-more') return describeRefusals(details) ?? m.activityRows_actionsSessionRefusedMore()
  const [kind = '', verb = ''] = action.split('.')
  if (attempts.includes(verb) && outcome !== 'done') return m.activityRows_tried({ attempt: verb, kind })
  const known = Object.hasOwn(actionLabels, action) ? actionLabels[action] : undefined
  if (known !== undefined) return known()
  const derived = action.replaceAll(/[.-]+/gu, ' ')
  return derived.charAt(0).toUpperCase() + derived.slice(1)
}

export const activityOutcomeLabels: Record<ActivityOutcome, Message> = {
  done: m.activityRows_resultsDone,
  refused: m.activityRows_resultsRefused,
  failed: m.activityRows_resultsFailed,
  unknown: m.activityRows_resultsUnknown,
}

function getMember(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined
}

function getText(holder: unknown, ...names: string[]): string | null {
  const value = names.reduce<unknown>(getMember, holder)
  // Of an erased text only its hash is left.
  if (typeof getMember(value, 'erased') === 'string') return m.activityRows_erasedText()
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
}

const kindLabels: Readonly<Record<string, Message>> = {
  bulk: m.activityRows_kindsBulk,
  session: m.activityRows_kindsSession,
  setting: m.activityRows_kindsSetting,
  retention: m.activityRows_kindsRetention,
  payment: m.activityRows_kindsPayment,
  customer: m.activityRows_kindsCustomer,
  mandate: m.activityRows_kindsMandate,
  agreement: m.activityRows_kindsAgreement,
  merchant: m.activityRows_kindsMerchant,
  webhook: m.activityRows_kindsWebhook,
  import: m.activityRows_kindsImport,
  export: m.activityRows_kindsExport,
  user: m.activityRows_kindsUser,
  token: m.activityRows_kindsToken,
  note: m.activityRows_kindsNote,
  cancellation: m.activityRows_kindsCancellation,
  access: m.activityRows_kindsAccess,
  person: m.activityRows_kindsPerson,
  view: m.activityRows_kindsView,
}

/** The name of a kind of object; an unknown one as it is, capitalised. */
export function nameKind(kind: string): string {
  const known = Object.hasOwn(kindLabels, kind) ? kindLabels[kind]?.() : undefined
  return known ?? kind.charAt(0).toUpperCase() + kind.slice(1)
}

/** The list of an export, and how often it is made if it is scheduled: "of payments, every day". Null for another row. */
function nameExport({ objectKind, details }: Pick<ActivityView, 'objectKind' | 'details'>): string | null {
  const list = getText(details, 'list')
  if (objectKind !== 'export' || list === null) return null
  return m.activityRows_ofList({ list, rhythm: getText(details, 'times', 'rhythm') ?? 'once' })
}

/**
 * The object of a row: its kind, and its name if the row or the desk knows one, else its id, shortened if it is a UUID.
 * Null when the row is about nothing in particular.
 */
export function describeObject({ action, objectKind, objectId, objectName, details }: ActivityView): string | null {
  // What was done to a setting names it.
  if (objectId === 'none' || action.startsWith('setting.')) return null
  const named =
    objectName ??
    nameExport({ objectKind, details }) ??
    getText(details, 'answer', 'handle') ??
    getText(details, 'fileName') ??
    getText(details, 'name')
  // A session has no name, and its id means nothing to people.
  if (named === null && objectKind === 'session') return null
  const name = named ?? shortenId(objectId)
  return objectKind === 'setting' ? name : `${nameKind(objectKind)} ${name}`
}

/** Who did it: a person, the desk, or a token of a person's, which a row names itself or by its request. */
export function describeActor({ actor, details }: Pick<ActivityView, 'actor' | 'details'>): string {
  if (actor === 'desk') return m.activity_deskItself()
  const token = getText(details, 'apiToken', 'name') ?? getText(details, 'request', 'apiToken', 'name')
  return token === null ? actor : m.activity_tokenOf({ token, email: actor })
}

/** The reason that the person gave; null when none was asked for. */
export function describeActivityReason({ details }: Pick<ActivityView, 'details'>): string | null {
  return getText(details, 'text')
}

const failures: Readonly<Record<string, Message>> = {
  'owner-signed-out': m.activityRows_failuresOwnerSignedOut,
  'lease-lost': m.activityRows_failuresLeaseLost,
  'upstream-unreachable': m.activityRows_failuresUpstreamUnreachable,
  'upstream-timeout': m.activityRows_failuresUpstreamTimeout,
  'upstream-bad-reply': m.activityRows_failuresUpstreamBadReply,
  'upstream-credential': m.activityRows_failuresUpstreamCredential,
  'out-of-time': m.activityRows_failuresOutOfTime,
  'unreadable-entries': m.activityRows_failuresUnreadableEntries,
  'list-moved': m.activityRows_failuresListMoved,
  'offset-repeated': m.activityRows_failuresOffsetRepeated,
  'too-many-pages': m.activityRows_failuresTooManyPages,
  contradiction: m.activityRows_failuresContradiction,
  interrupted: m.activityRows_failuresInterrupted,
  restored: m.activityRows_failuresRestored,
  internal: m.activityRows_failuresInternal,
}

function describeFailure(code: string): string {
  return (Object.hasOwn(failures, code) ? failures[code]?.() : undefined) ?? m.activityRows_noAnswer({ code })
}

/** Whether a status refuses what was asked, rather than our credential or pace, or leaves open what became of it. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 407, 408, 425, 429, 499].includes(status)
}

/** What a reply's status means, with the provider's own words. The number is among the technical details. */
function describeReply(status: number, detail: string | null): string {
  if (status < 300) return m.activityRows_accepted()
  if (status === 401 || status === 407) return m.activityRows_failuresUpstreamCredential()
  if (status === 408) return m.activityRows_failuresUpstreamTimeout()
  if (status === 429) return m.activityRows_askedToWait()
  if (isRefusal(status)) return detail === null ? m.activityRows_refused() : m.activityRows_refusedSaying({ detail })
  return detail === null ? m.activityRows_hadAnError() : m.activityRows_hadAnErrorSaying({ detail })
}

/** Rows about a read. The service's reply to the request before it is in the row of that request. */
const reads = ['cancellation.read', 'cancellation.cancelled', 'cancellation.not-cancelled', 'cancellation.needs-person']

/** The state that a read of the payment showed, or why a read that decided nothing showed none. */
function describeRead(action: string, shown: unknown): string | null {
  const [kind, state] = [getText(shown, 'kind'), getText(shown, 'status')]
  if (state !== null) return m.activityRows_showed({ status: describeState(state) })
  if (action !== 'cancellation.read') return null
  if (kind === 'absent') return m.activityRows_notShown()
  if (kind !== 'unreadable') return null
  const why = getText(shown, 'why') ?? kind
  const status = /^status-(\d+)$/u.exec(why)?.[1]
  if (status === undefined) return describeFailure(why)
  return isRefusal(Number(status)) ? m.activityRows_paymentsNotShown() : describeReply(Number(status), null)
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
  // These name the state that was read, the others what the provider said.
  const detail =
    reason === 'too-late' || reason === 'not-cancellable' || reason === 'unconfirmed' || reason === 'still-cancellable'
      ? (getText(details, 'detail') ?? getText(evidence, 'read', 'status'))
      : (getText(evidence, 'reply', 'detail') ?? getText(evidence, 'reply', 'title'))
  return describeOutcome({ outcome, reason, detail })
}

/** The role before and after a change. */
function describeRoleChange(action: string, details: unknown): string | null {
  const [from, to] = [getText(details, 'from'), getText(details, 'to')].map((role) => {
    const known = roles.find((one) => one === role)
    return known ? roleNames[known].name() : role
  })
  return action === 'user.role-changed' && from && to ? m.activityRows_roleChange({ from, to }) : null
}

/** What a person found: by a check in the desk, or in their own note. */
function describeFinding(action: string, details: unknown): string | null {
  if (action === 'cancellation.handled') return getText(details, 'note')
  return action === 'cancellation.checked' ? describeRead('cancellation.read', getMember(details, 'read')) : null
}

/** What became of an import's lines, or why it is on hold. Rows of earlier versions have no counts. */
function describeImportRow(action: string, details: unknown, locale: string): string | null {
  if (action === 'import.hold') return describeHold(getText(details, 'code') ?? getText(details, 'problem'))
  const counts = getMember(details, 'counts')
  if (action !== 'import.end' || counts === undefined) return null
  const count = (name: string) => Number(getText(counts, name) ?? 0)
  const [waiting, created, refused, leftOut] = [count('waiting'), count('created'), count('refused'), count('leftOut')]
  const [unknown, found, held] = [count('unknown'), count('found'), count('held')]
  return describeCounts({ waiting, created, refused, leftOut, unknown, found, held }, locale)
}

/**
 * The result of a row: what the service answered or showed when read, why a cancellation ended, what a person found, or
 * what became of an import's lines. Null when there is none.
 */
export function describeActivityResult(
  { action, details }: Pick<ActivityView, 'action' | 'details'>,
  locale: string,
): string | null {
  const known =
    describeEnding(action, details) ??
    describeFinding(action, details) ??
    describeRoleChange(action, details) ??
    describeImportRow(action, details, locale)
  if (known !== null) return known
  const shown = reads.includes(action) ? describeRead(action, getMember(getMember(details, 'evidence'), 'read')) : null
  if (shown !== null) return shown
  // Of a reply that could not be read to its end the status alone says nothing.
  const failure = getText(details, 'evidence', 'failure')
  const code = getText(details, 'answer', 'code')
  if (failure !== null) return describeFailure(failure)
  if (code !== null && Object.hasOwn(failures, code)) return describeFailure(code)
  const replies = [getMember(getMember(details, 'evidence'), 'reply'), getMember(details, 'answer')]
  for (const reply of replies) {
    const status = getMember(reply, 'status')
    if (typeof status === 'number') return describeReply(status, getText(reply, 'detail') ?? getText(reply, 'title'))
  }
  return code === null ? null : describeFailure(code)
}
