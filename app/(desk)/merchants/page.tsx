import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { Link } from '@/components/link'
import { PageHeader } from '@/components/page-header'
import { TestBadge } from '@/components/payments/test-badge'
import { buttonClasses } from '@/components/ui/button'
import { mayRole } from '@/lib/contract/permission'
import { readVisit, requirePageSession } from '@/lib/server/session'
import { defaultConnectionId } from '@/lib/server/store/default-connection'

export const metadata: Metadata = { title: 'Merchants' }

const roleNames = { admin: 'Admin', support: 'Support', viewer: 'Viewer' }

/** The merchants that the visitor may work for. */
export default async function MerchantsPage() {
  const session = await requirePageSession()
  const merchants = (await readVisit())?.merchants ?? []
  const mayAdd = mayRole(session.role, 'administer')
  return (
    <>
      <BackLink href="/merchant">Merchant</BackLink>
      <PageHeader
        title="Merchants"
        about="Those that you may work for on this desk. Each has a service, a credential and people of its own."
      >
        {mayAdd ? (
          <Link href="/merchants/new" className={buttonClasses('primary')}>
            Connect merchant
          </Link>
        ) : null}
      </PageHeader>
      <ul className="mx-4 mb-12 max-w-3xl divide-y divide-line rounded-lg border border-line bg-surface md:mx-8">
        {merchants.map(({ connectionId, name, role, mode }) => {
          const isCurrent = connectionId === session.scope.connectionId
          return (
            <li key={connectionId} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 max-md:px-4">
              <span className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
                <span className="font-semibold wrap-anywhere">{name}</span>
                {mode === 'test' ? <TestBadge test /> : null}
              </span>
              <span className="text-ink-soft">
                {roleNames[role]}
                {isCurrent ? ', open here' : ''}
              </span>
              {isCurrent ? null : (
                <a
                  href={`/?merchant=${encodeURIComponent(connectionId)}`}
                  aria-label={`Open ${name}`}
                  className={buttonClasses()}
                >
                  Open
                </a>
              )}
              {isCurrent && mayRole(role, 'administer') && connectionId !== defaultConnectionId ? (
                <Link href="/merchants/edit" className={buttonClasses()}>
                  Edit
                </Link>
              ) : null}
            </li>
          )
        })}
      </ul>
    </>
  )
}
