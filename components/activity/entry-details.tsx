'use client'

import { ChevronRight } from 'lucide-react'
import { hasPermission, type Permission } from '@/lib/api-contract/permission'
import type { ActivityView } from '@/lib/domain/activity/activity'
import { formatTimestamp } from '@/lib/domain/dates/date'
import { describeDetails } from '@/lib/domain/activity/describe-details'
import { buildPagePath } from '@/lib/domain/page-address'
import * as m from '@/lib/messages/m'
import { useAppConfig, useViewerZone } from '../layout/app-config'
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
  user: { page: '/team', permission: 'administer' },
}

type Target = { kind: string; page: string; permission: Permission }

/** The kind whose page a setting is on; a saved view has none. */
function kindOfSetting(action: string): string {
  if (action.startsWith('view.')) return 'view'
  if (action === 'setting.inbox-address' || action.startsWith('setting.signing-secret')) return 'webhook'
  return action === 'setting.factor-rule' ? 'user' : 'merchant'
}

/** The pages of what an entry is about. */
function findTargets({ action, objectKind, objectId, details: { customerId } }: ActivityView): Target[] {
  const ids: Record<string, unknown> = { [objectKind]: objectId === 'none' ? null : objectId }
  // The customer of an import's line.
  if (objectKind === 'import') ids.customer = customerId
  const records = Object.entries(ids).flatMap(([kind, recordId]): Target[] => {
    const folder = Object.hasOwn(RECORD_PAGES, kind) ? RECORD_PAGES[kind] : undefined
    const page = folder && typeof recordId === 'string' ? buildPagePath(folder, recordId) : null
    return page ? [{ kind, page, permission: 'read' }] : []
  })
  const kind = objectKind === 'setting' ? kindOfSetting(action) : objectKind
  const known = Object.hasOwn(KIND_PAGES, kind) ? KIND_PAGES[kind] : undefined
  return known ? [{ kind, ...known }, ...records] : records
}

/** Everything recorded of an entry, and the page of what it is about. */
export function EntryDetails({ entry }: { entry: ActivityView }) {
  const { role = '', amounts, locale } = useAppConfig()
  const zone = useViewerZone()
  const { id, at, objectKind, objectId, hash } = entry
  const { plain, technical } = describeDetails(entry, { amounts, locale, zone })
  const targets = findTargets(entry).filter(({ permission }) => hasPermission(role, permission))
  return (
    <div className="activity-more">
      {targets.map(({ kind, page }) => (
        <Link key={page} href={page} className="font-medium text-accent-ink underline">
          {m.activity_open({ kind })}
        </Link>
      ))}
      <DataTree value={{ [m.activityDetails_time()]: formatTimestamp(at, zone, locale, true)?.text ?? at, ...plain }} />
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
