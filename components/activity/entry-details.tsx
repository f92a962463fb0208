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
  answer: m.activityDetails_answer,
  asked: m.activityDetails_asked,
  before: m.activityDetails_before,
  by: m.activityDetails_by,
  count: m.activityDetails_count,
  currency: m.paymentDetails_currency,
  customerId: m.paymentDetails_customerId,
  detail: m.activityDetails_detail,
  expiresAt: m.activityDetails_expiresAt,
  fields: m.activityDetails_fields,
  fileName: m.activityDetails_fileName,
  from: m.activity_fromDay,
  handle: m.paymentDetails_handle,
  id: m.activityDetails_id,
  line: m.activityDetails_line,
  list: m.activityDetails_list,
  minutes: m.activityDetails_minutes,
  mode: m.paymentDetails_mode,
  name: m.customerFields_name,
  note: m.activityDetails_note,
  number: m.customerFields_number,
  owner: m.activityDetails_owner,
  provider: m.activityDetails_provider,
  requestedBy: m.activityDetails_requestedBy,
  role: m.activityDetails_role,
  rows: m.activityDetails_rows,
  scheme: m.paymentDetails_scheme,
  seen: m.activityDetails_seen,
  status: m.activityDetails_status,
  sum: m.activityDetails_sum,
  sums: m.activityDetails_sums,
  test: m.activityDetails_test,
  text: m.activityDetails_text,
  title: m.activityDetails_title,
  to: m.activity_to,
  words: m.activityDetails_words,
  addressLine1: m.customerFields_addressLine1,
  addressLine2: m.customerFields_addressLine2,
  postalCode: m.customerFields_postalCode,
  city: m.customerFields_city,
  country: m.customerFields_country,
}

/** Of a bulk, with the numbers of its payments by what came of them. */
const BULK_FIELD_NAMES = { ...FIELD_NAMES, ...bulkOutcomeLabels }

const nameField = (name: string, names: Readonly<Record<string, Message>> = FIELD_NAMES) =>
  (Object.hasOwn(names, name) ? names[name]?.() : undefined) ?? name

/** Fields for who looks into the machinery; what they mean to others is in the row's line. */
const TECHNICAL = [
  'attempts',
  'bulkId',
  'cancellationId',
  'code',
  'digest',
  'endpoint',
  'evidence',
  'hash',
  'key',
  'outcome',
  'reason',
  'request',
  'sha256',
  'userId',
]

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
  const names = objectKind === 'bulk' ? BULK_FIELD_NAMES : FIELD_NAMES
  const plain = fields.filter(([name]) => !TECHNICAL.includes(name)).map(([name, held]) => [name, nameFields(held)])
  const technical = Object.fromEntries(fields.filter(([name]) => TECHNICAL.includes(name)))
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
        <DataTree value={{ row: Number(id), kind: objectKind, object: objectId, ...technical, hash }} />
      </details>
    </div>
  )
}
