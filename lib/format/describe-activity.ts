import type { ActivityOutcome, ActivityView } from '@/lib/contract/activity'

/** What the known actions are called; others are told from their own word. */
export const actionWords: Readonly<Record<string, string>> = {
  'cancellation.intended': 'Cancellation asked for',
  'cancellation.sending': 'Cancellation sent',
  'cancellation.waiting': 'Service asked to slow down',
  'cancellation.accepted': 'Cancellation accepted',
  'cancellation.declined': 'Cancellation declined',
  'cancellation.unknown': 'Outcome unknown',
  'cancellation.read': 'Payment read again',
  'cancellation.cancelled': 'Cancelled',
  'cancellation.not-cancelled': 'Not cancelled',
  'cancellation.needs-person': 'Needs a person',
  'cancellation.checked': 'Checked by a person',
  'cancellation.handled': 'Marked as handled',
  'session.started': 'Signed in',
  'session.refused': 'Sign-in refused',
  'session.locked-out': 'Locked out after too many attempts',
  'session.ended': 'Signed out',
  'session.proven': 'Password given again',
  'session.proof-refused': 'Wrong password when asked again',
  'access.denied': 'Access refused',
  'customer.create': 'Customer created',
  'customer.update': 'Customer changed',
  'customer.delete': 'Customer deleted',
  'agreement.create': 'Agreement created',
  'agreement.delete': 'Agreement deleted',
  'merchant.create': 'Merchant created at the service',
  'merchant.added': 'Merchant connected',
  'merchant.changed': 'Merchant’s connection changed',
  'merchant.removed': 'Merchant disconnected',
  'merchant.refused': 'Another merchant asked for',
  'webhook.subscribe': 'Webhook subscribed',
  'webhook.unsubscribe': 'Webhook unsubscribed',
  'import.start': 'Import started',
  'import.stop': 'Import stopped',
  'import.resume': 'Import resumed',
  'import.end': 'Import done',
  'import.hold': 'Import held',
  'bulk.created': 'Bulk cancellation prepared',
  'bulk.started': 'Bulk cancellation started',
  'bulk.paused': 'Bulk cancellation paused',
  'bulk.resumed': 'Bulk cancellation resumed',
  'bulk.stopped': 'Bulk cancellation stopped',
  'bulk.finished': 'Bulk cancellation done',
  'user.added': 'Account added',
  'user.invited': 'Person invited',
  'user.joined': 'Person given access',
  'user.disabled': 'Account disabled',
  'user.enabled': 'Account enabled',
  'user.role-changed': 'Role changed',
  'user.password-set': 'Password set',
  'user.password-changed': 'Password changed',
  'user.sessions-ended': 'Sign-ins ended',
  'setting.changed': 'Settings changed',
  'setting.inbox-address': 'Address of the inbox renewed',
  'setting.signing-secret': 'Signing secret of the inbox changed',
  'export.activity': 'Activity exported',
  'export.start': 'Export started',
  'export.resume': 'Export resumed',
  'export.end': 'Export ended',
  'export.take': 'Export downloaded',
  'view.save': 'View saved',
  'view.rename': 'View renamed',
  'view.delete': 'View deleted',
}

/** What was attempted, where it was not done: "Customer deleted: refused" would be untrue. */
const attempts: Readonly<Record<string, string>> = {
  create: 'create',
  update: 'change',
  delete: 'delete',
  subscribe: 'subscribe',
  unsubscribe: 'unsubscribe',
}

/** What happened, in a few words. */
export function describeAction({ action, outcome }: Pick<ActivityView, 'action' | 'outcome'>): string {
  const [kind = '', verb = ''] = action.split('.')
  const attempt = Object.hasOwn(attempts, verb) ? attempts[verb] : undefined
  if (attempt !== undefined && outcome !== 'done')
    return `Tried to ${attempt} ${kind === 'agreement' ? 'an' : 'a'} ${kind}`
  const known = Object.hasOwn(actionWords, action) ? actionWords[action] : undefined
  if (known !== undefined) return known
  const words = action.replaceAll(/[.-]+/gu, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const activityOutcomeWords: Record<ActivityOutcome, string> = {
  done: 'Done',
  refused: 'Refused',
  failed: 'Failed',
  unknown: 'Not known',
}

function read(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined
}

function readText(holder: unknown, ...names: string[]): string | null {
  const value = names.reduce<unknown>(read, holder)
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
}

const kindWords: Readonly<Record<string, string>> = {
  bulk: 'Bulk cancellation',
  session: 'Sign-in',
  setting: 'Setting',
}
const id = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu

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
  return `${kind} ${named ?? (id.test(objectId) ? `${objectId.slice(0, 8)}…` : objectId)}`
}

/** Why, as the person said it; null where no reason was asked for. */
export function readActivityReason({ details }: Pick<ActivityView, 'details'>): string | null {
  return readText(details, 'text')
}

/** Rows that tell of a read: what the service had answered to the request before stands in the row of that. */
const reads = ['cancellation.read', 'cancellation.cancelled', 'cancellation.not-cancelled', 'cancellation.needs-person']

/** What the service answered, or showed when it was read: its status, and its own words; null where it was not asked. */
export function readActivityAnswer({ action, details }: Pick<ActivityView, 'action' | 'details'>): string | null {
  const shown = reads.includes(action) ? readText(details, 'evidence', 'read', 'status') : null
  if (shown !== null) return `The service showed: ${shown}`
  const replies = [read(read(details, 'evidence'), 'reply'), read(details, 'answer')]
  for (const reply of replies) {
    const status = readText(reply, 'status')
    const words = readText(reply, 'detail') ?? readText(reply, 'title')
    if (status !== null) return `The service answered: ${status}${words === null ? '' : `, ${words}`}`
  }
  const code = readText(details, 'answer', 'code') ?? readText(details, 'evidence', 'failure')
  return code === null ? null : `No answer of the service: ${code}`
}
