'use client'

import { ChevronRight } from 'lucide-react'
import { hasPermission, type Permission } from '@/lib/api-contract/permission'
import type { ActivityView } from '@/lib/domain/activity'
import { bulkOutcomeLabels } from '@/lib/domain/cancellations/bulk-messages'
import { buildPagePath } from '@/lib/domain/page-address'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { useAppConfig } from '../layout/app-config'
import { Link } from '../layout/link'
import { DataTree } from '../records/data-tree'

/** Record pages by the kind of object. */
const RECORD_PAGES: Readonly<Record<string, `/${string}`>> = {
  payment: '/payments',
  customer: '/customers',
  mandate: '/mandates',
  agreement: '/agreements',
  bulk: '/payments/bulk',
}

/** Pages for kinds without a page per record, and who may open them. */
const KIND_PAGES: Readonly<Record<string, { page: `/${string}`; permission: Permission }>> = {
  import: { page: '/customers/import', permission: 'manage' },
  webhook: { page: '/webhooks', permission: 'read' },
  merchant: { page: '/merchant', permission: 'read' },
  setting: { page: '/merchant', permission: 'read' },
  user: { page: '/team', permission: 'administer' },
}

/** Names of the usual fields, at any depth; others are shown as they are recorded. */
const FIELD_NAMES: Readonly<Record<string, Message>> = {
  after: m.activityDetails_after,
  amount: m.paymentDetails_amount,
  answer: m.activity_result,
  approvedBy: m.activityDetails_approvedBy,
  asked: m.activityDetails_asked,
  assignee: m.activityDetails_assignee,
  backupOf: m.activityDetails_backupOf,
  before: m.activityDetails_before,
  by: m.activityDetails_by,
  changed: m.activityDetails_changed,
  code: m.activityDetails_code,
  columns: m.exporting_columns,
  count: m.activityDetails_count,
  credential: m.activityDetails_credential,
  currency: m.paymentDetails_currency,
  customerId: m.paymentDetails_customerId,
  detail: m.activityDetails_detail,
  dueDay: m.notes_due,
  expiresAt: m.activityDetails_expiresAt,
  fields: m.activityDetails_fields,
  fileName: m.activityDetails_fileName,
  filters: m.activity_filters,
  from: m.activity_fromDay,
  handle: m.paymentDetails_handle,
  id: m.activityDetails_id,
  isShared: m.activityDetails_isShared,
  line: m.activityDetails_line,
  lines: m.activityDetails_lines,
  list: m.activityDetails_list,
  minutes: m.activityDetails_minutes,
  mode: m.paymentDetails_mode,
  name: m.customerFields_name,
  note: m.activityDetails_note,
  number: m.customerFields_number,
  owner: m.activityDetails_owner,
  problem: m.activityDetails_problem,
  provider: m.activityDetails_provider,
  reason: m.bulkCancellation_reason,
  requestedBy: m.activityDetails_requestedBy,
  result: m.activity_result,
  role: m.activityDetails_role,
  rows: m.activityDetails_rows,
  scheme: m.paymentDetails_scheme,
  seen: m.activityDetails_seen,
  service: m.activityDetails_provider,
  settings: m.activityDetails_settings,
  source: m.activityDetails_source,
  state: m.paymentDetails_state,
  status: m.activityDetails_status,
  sum: m.activityDetails_sum,
  sums: m.activityDetails_sums,
  test: m.activityDetails_test,
  text: m.activityDetails_text,
  times: m.activityDetails_times,
  title: m.activityDetails_title,
  to: m.activity_to,
  why: m.bulkCancellation_reason,
  words: m.activityDetails_words,
  zone: m.activityDetails_zone,
  addressLine1: m.customerFields_addressLine1,
  addressLine2: m.customerFields_addressLine2,
  postalCode: m.customerFields_postalCode,
  city: m.customerFields_city,
  country: m.customerFields_country,
}

const nameField = (name: string, names: Readonly<Record<string, Message>> = FIELD_NAMES) =>
  (Object.hasOwn(names, name) ? names[name]?.() : undefined) ?? name

/** Fields for who looks into the machinery; what they mean to others is in the row's line. */
const TECHNICAL = [
  'apiToken',
  'attempts',
  'bulkId',
  'cancellationId',
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
  'sequence',
  'sessionId',
  'sha256',
  'unread',
  'userId',
]

/** Whether a field is technical; of a cancellation the line says its reason in words. */
function isTechnical(name: string, { action }: ActivityView): boolean {
  return TECHNICAL.includes(name) || (['reason', 'code'].includes(name) && action.startsWith('cancellation.'))
}

/** The names of an entry's fields: of a bulk also what came of its payments. */
function listNames({ objectKind, details: { answer } }: ActivityView): Readonly<Record<string, Message>> {
  const isReply = typeof answer === 'object' && answer !== null && ('status' in answer || 'service' in answer)
  return {
    ...FIELD_NAMES,
    ...(objectKind === 'bulk' && bulkOutcomeLabels),
    // Without them nothing came back, or nothing was sent.
    ...(isReply && { answer: m.activityDetails_reply }),
  }
}

/** The names of fields that were sent in one line. */
function nameFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('fields' in value)) return value
  const { fields, ...rest } = value
  return Array.isArray(fields) ? { fields: fields.map((one) => nameField(String(one))).join(', '), ...rest } : value
}

/** Everything recorded of an entry, and the page of what it is about. */
export function EntryDetails({ entry }: { entry: ActivityView }) {
  const { role = '' } = useAppConfig()
  const { id, objectKind, objectId, details, hash } = entry
  const folder = Object.hasOwn(RECORD_PAGES, objectKind) ? RECORD_PAGES[objectKind] : undefined
  const page = folder && objectId !== 'none' ? buildPagePath(folder, objectId) : null
  const target = page
    ? { page, permission: 'read' as const }
    : Object.hasOwn(KIND_PAGES, objectKind)
      ? KIND_PAGES[objectKind]
      : undefined
  const fields = Object.entries(details)
  const names = listNames(entry)
  const plain = fields.filter(([name]) => !isTechnical(name, entry)).map(([name, held]) => [name, nameFields(held)])
  const technical = Object.fromEntries(fields.filter(([name]) => isTechnical(name, entry)))
  return (
    <div className="activity-more">
      {target && hasPermission(role, target.permission) ? (
        <Link href={target.page} className="font-medium text-accent-ink underline">
          {m.activity_open({ kind: objectKind })}
        </Link>
      ) : null}
      {plain.length > 0 ? (
        <DataTree value={Object.fromEntries(plain)} nameOf={(name) => nameField(name, names)} />
      ) : null}
      <details className="group" data-technical="">
        <summary className="flex min-h-9 cursor-pointer items-center gap-1.5 text-[0.8125rem] font-semibold max-md:min-h-11">
          <ChevronRight aria-hidden className="size-4 text-ink-soft group-open:rotate-90" />
          {m.paymentDetails_technicalDetails()}
        </summary>
        <DataTree value={{ entry: { row: Number(id), kind: objectKind, object: objectId, hash }, ...technical }} />
      </details>
    </div>
  )
}
