/*
 * What rows of the activity log are called. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const actions = {
  'cancellation.intended': 'Cancellation asked for',
  'cancellation.sending': 'Cancellation being sent',
  'cancellation.waiting': 'Waiting to be sent',
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
  'session.refused-more': 'More refused sign-ins',
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
  'import.found': 'Line of an import found among the customers',
  'import.line-send-again': 'Line of an import sent again',
  'import.line-created': 'Line of an import matched to a customer',
  'import.line-leave-out': 'Line of an import left out',
  'bulk.created': 'Bulk cancellation prepared',
  'bulk.started': 'Bulk cancellation started',
  'bulk.paused': 'Bulk cancellation paused',
  'bulk.resumed': 'Bulk cancellation resumed',
  'bulk.stopped': 'Bulk cancellation stopped',
  'bulk.finished': 'Bulk cancellation done',
  'user.added': 'Account added',
  'user.invited': 'Person invited',
  'user.joined': 'Person given access',
  'user.removed': 'Person removed from the team',
  'user.disabled': 'Account disabled',
  'user.enabled': 'Account enabled',
  'user.role-changed': 'Role changed',
  'user.password-set': 'Password set',
  'user.password-changed': 'Password changed',
  'user.sessions-ended': 'Sign-ins ended',
  'retention.swept': 'Expired lists deleted',
  'setting.changed': 'Settings changed',
  'setting.resealed': 'Stored secrets encrypted anew',
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
export const attempts = {
  create: 'create',
  update: 'change',
  delete: 'delete',
  subscribe: 'subscribe',
  unsubscribe: 'unsubscribe',
}
export const results = {
  done: 'Done',
  refused: 'Refused',
  failed: 'Failed',
  unknown: 'Not known',
}
export const kinds = {
  bulk: 'Bulk cancellation',
  session: 'Sign-in',
  setting: 'Setting',
  retention: 'Expired lists',
}
export const tried = (attempt: string, kind: string) =>
  `Tried to ${attempt} ${kind === 'agreement' ? 'an' : 'a'} ${kind}`
/** Of the row that sums up what got no rows of its own. */
export const refusedSignIns = (count: string, minutes: string, from: string | null) =>
  `${count} more refused ${count === '1' ? 'sign-in' : 'sign-ins'}${from === null ? '' : ` from ${from}`} in ${minutes} minutes`
export const showed = (status: string) => `The service showed: ${status}`
export const answered = (answer: string) => `The service answered: ${answer}`
/** Why there was no answer, by the code of the failure. */
export const failures = {
  'owner-signed-out': 'Not sent: whoever asked for it was not signed in',
  'lease-lost': 'Not sent: the desk had stood still for too long',
  'upstream-unreachable': 'The service could not be reached',
  'upstream-timeout': 'The service did not answer in time',
  'upstream-bad-reply': 'The service’s reply could not be read',
  'upstream-credential': 'The service did not accept the desk’s credential',
  'out-of-time': 'There was no time left to read the service’s list',
  'unreadable-entries': 'Entries of the service’s list could not be read',
  'offset-repeated': 'The service’s list went in a circle',
  'too-many-pages': 'The service’s list is too long to be read whole',
  contradiction: 'The service said one thing of the payment, and then another',
  interrupted: 'The desk ended before it had the service’s answer',
  internal: 'Something went wrong in the desk',
}
export const notShown = 'The service did not show this payment'
export const noAnswer = (code: string) => `No answer of the service: ${code}`
