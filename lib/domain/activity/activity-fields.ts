import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import type { ActivityView } from './activity'
import { bulkOutcomeLabels } from '../cancellations/bulk-messages'
import { keptKindNames } from '../kept-kinds'

type Names = Readonly<Record<string, Message>>

/** Names of the fields that entries hold, at any depth; others are shown as they are recorded. */
const fieldNames: Names = {
  action: m.activity_action,
  addressLine1: m.customerFields_addressLine1,
  addressLine2: m.customerFields_addressLine2,
  after: m.activityDetails_after,
  amount: m.paymentDetails_amount,
  amounts: m.merchants_amounts,
  answer: m.activity_result,
  approvedBy: m.activityDetails_approvedBy,
  asked: m.activityDetails_asked,
  assignee: m.activityDetails_assignee,
  auth: m.activityDetails_auth,
  backupOf: m.activityDetails_backupOf,
  before: m.activityDetails_before,
  by: m.activityDetails_by,
  changed: m.activityDetails_changed,
  city: m.customerFields_city,
  columns: m.exporting_columns,
  count: m.activityDetails_count,
  country: m.customerFields_country,
  credential: m.activityDetails_credential,
  currency: m.paymentDetails_currency,
  customerId: m.paymentDetails_customerId,
  deleted: m.activityDetails_deleted,
  detail: m.activityDetails_detail,
  dueDay: m.notes_due,
  erased: m.activityDetails_erased,
  everyBulk: m.approval_everyBulk,
  expected: m.activityDetails_expected,
  expiresAt: m.activityDetails_expiresAt,
  factor: m.secondFactor_title,
  fields: m.activityDetails_fields,
  fileName: m.activityDetails_fileName,
  filters: m.activity_filters,
  from: m.activity_fromDay,
  fromOthers: m.activityDetails_fromOthers,
  handle: m.paymentDetails_handle,
  host: m.activityDetails_host,
  hours: m.approval_hours,
  id: m.activityDetails_id,
  isShared: m.activityDetails_isShared,
  kind: m.activityDetails_kind,
  left: m.activityDetails_left,
  limits: m.approval_limits,
  line: m.activityDetails_line,
  lines: m.activityDetails_lines,
  list: m.activityDetails_list,
  minor: m.activityDetails_sum,
  minutes: m.activityDetails_minutes,
  mode: m.paymentDetails_mode,
  modifiedAt: m.paymentDetails_modified,
  name: m.customerFields_name,
  note: m.activityDetails_note,
  number: m.customerFields_number,
  others: m.activityDetails_others,
  outcome: m.activity_result,
  owner: m.activityDetails_owner,
  person: m.activity_person,
  postalCode: m.customerFields_postalCode,
  problem: m.activityDetails_problem,
  provider: m.activityDetails_provider,
  reason: m.bulkCancellation_reason,
  requestedBy: m.activityDetails_requestedBy,
  role: m.activityDetails_role,
  rows: m.activityDetails_rows,
  scheme: m.paymentDetails_scheme,
  seen: m.activityDetails_seen,
  service: m.merchants_addressOfTheService,
  source: m.activityDetails_source,
  state: m.paymentDetails_state,
  status: m.activityDetails_status,
  sum: m.activityDetails_sum,
  sums: m.activityDetails_sums,
  supportLimits: m.approval_supportLimits,
  test: m.activityDetails_test,
  text: m.activityDetails_text,
  times: m.activityDetails_times,
  title: m.activityDetails_title,
  to: m.activity_to,
  webhookUrl: m.webhooks_callbackAddress,
  why: m.bulkCancellation_reason,
  words: m.activityDetails_words,
  zone: m.activityDetails_zone,
}

/** Names of what a field counts by kind, of fields whose members are no fields. */
const kindNames: Readonly<Record<string, Names>> = {
  deleted: {
    bulks: m.people_kindsBulk,
    drafts: m.activityDetails_drafts,
    imports: m.people_kindsImport,
    exports: m.people_kindsExport,
  },
  erased: keptKindNames,
  /** Sign-ins by address. */
  from: {},
}

/** Fields for who looks into the machinery; what they mean to others is in the row's line. */
const technicalFields: readonly string[] = [
  'apiToken',
  'attempts',
  'bulkId',
  'cancellationId',
  'code',
  'continuedAs',
  'counts',
  'digest',
  'endpoint',
  'evidence',
  'fileHash',
  'hash',
  'hashes',
  'key',
  'method',
  'noteId',
  'outcome',
  'path',
  'read',
  'request',
  'result',
  'sequence',
  'sessionId',
  'settings',
  'sha256',
  'unread',
  'userId',
]

/** Those that are so in one field only. */
const technicalMembers: Readonly<Record<string, readonly string[]>> = {
  answer: ['code', 'service', 'status'],
  asked: ['fingerprint'],
}

type Entry = Pick<ActivityView, 'action' | 'objectKind' | 'details'>
type Fields = Readonly<Record<string, unknown>>

function isTechnical(name: string, { action }: Entry): boolean {
  if (technicalFields.includes(name)) return true
  // Hashes by the number of the row.
  if (name === 'rows' && action === 'person.rewritten') return true
  // Of these the line says their reason in words.
  return (name === 'reason' && action.startsWith('cancellation.')) || (name === 'problem' && action === 'import.hold')
}

/** The members of a field that are wanted, without empty ones: an id or a handle that did not come is not said. */
function pickMembers(held: object, isWanted: (member: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(held).filter(([member, value]) => value !== null && isWanted(member)))
}

/** Splits an entry's details into what is for everybody and what is for who looks into the machinery. */
export function splitDetails(entry: Entry): { plain: Fields; technical: Fields } {
  const plain: Record<string, unknown> = {}
  const technical: Record<string, unknown> = {}
  for (const [name, held] of Object.entries(entry.details)) {
    const inner = Object.hasOwn(technicalMembers, name) ? technicalMembers[name] : undefined
    if (isTechnical(name, entry)) technical[name] = held
    else if (inner === undefined || typeof held !== 'object' || held === null) plain[name] = held
    else {
      const own = pickMembers(held, (member) => !inner.includes(member))
      const others = pickMembers(held, (member) => inner.includes(member))
      if (Object.keys(own).length > 0) plain[name] = own
      if (Object.keys(others).length > 0) technical[name] = others
    }
  }
  return { plain, technical }
}

/** The name of a field of an entry, or of a member of its field `parent`; as it is recorded where it has none. */
export function nameField(name: string, { objectKind, details: { answer } }: Entry, parent: string | null): string {
  // Without them nothing came back, or nothing was sent.
  const isReply = typeof answer === 'object' && answer !== null && ('status' in answer || 'service' in answer)
  const names: Names =
    parent !== null && Object.hasOwn(kindNames, parent)
      ? (kindNames[parent] ?? {})
      : {
          ...fieldNames,
          ...(objectKind === 'bulk' && bulkOutcomeLabels),
          ...(isReply && { answer: m.activityDetails_reply }),
        }
  return (Object.hasOwn(names, name) ? names[name]?.() : undefined) ?? name
}
