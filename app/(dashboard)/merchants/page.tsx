import { BackLink, PageHeader } from '@/components/layout/page-header'
import { Link } from '@/components/layout/link'
import { TestBadge } from '@/components/payments/badges'
import { buttonClasses } from '@/components/ui/button'
import { hasPermission } from '@/lib/api-contract/permission'
import { roleNames } from '@/lib/domain/roles'
import { readSessionInfo, requirePageSession } from '@/lib/server/auth/session'
import { defaultConnectionId } from '@/lib/server/store/schema'

import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.merchants_merchants)

/** The merchants the user has access to. */
export default async function MerchantsPage() {
  const session = await requirePageSession('account')
  const merchants = (await readSessionInfo())?.merchants ?? []
  const mayAdd = hasPermission(session.role, 'administer')
  return (
    <>
      {hasPermission(session.role, 'read') ? <BackLink href="/merchant">{m.merchants_merchant()}</BackLink> : null}
      <PageHeader isNarrow title={m.merchants_merchants()} about={m.merchants_thoseThatYouMayWork()}>
        {mayAdd ? (
          <Link href="/merchants/new" className={buttonClasses('primary')}>
            {m.merchants_connectMerchant()}
          </Link>
        ) : null}
      </PageHeader>
      <div className="max-w-page px-4 pb-12 md:px-8">
        <ul className="rounded-lg border border-line bg-surface">
          {merchants.map(({ connectionId, name, role, mode }) => {
            const isCurrent = connectionId === session.scope.connectionId
            return (
              <li
                key={connectionId}
                className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-3 first:border-t-0 max-md:px-4"
              >
                <span className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
                  <span className="font-semibold wrap-anywhere">{name}</span>
                  {mode === 'test' ? <TestBadge test /> : null}
                </span>
                <span className="text-ink-soft">
                  {isCurrent ? m.merchants_openHere({ role: roleNames[role].name() }) : roleNames[role].name()}
                </span>
                {isCurrent ? null : (
                  <a
                    href={`/?merchant=${encodeURIComponent(connectionId)}`}
                    aria-label={m.merchants_open({ name })}
                    className={buttonClasses()}
                  >
                    {m.merchants_openLabel()}
                  </a>
                )}
                {isCurrent && hasPermission(role, 'administer') && connectionId !== defaultConnectionId ? (
                  <Link href="/merchants/edit" className={buttonClasses()}>
                    {m.merchants_edit()}
                  </Link>
                ) : null}
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}
