import { Suspense } from 'react'
import { PageHeader } from '@/components/layout/page-header'
import { Link } from '@/components/layout/link'
import { hasPermission } from '@/lib/api-contract/permission'
import { parseWebhooks } from '@/lib/domain/webhooks'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import { requirePageSession, type Session } from '@/lib/server/auth/session'
import { readAttention } from '@/lib/server/cancellations/read-attention'
import { listTasks } from '@/lib/server/notes/notes'
import { findOverview } from '@/lib/server/overview/overview'
import { requireStore } from '@/lib/server/store/store'
import { readRecord } from '@/lib/server/upstream/page-data'
import { AttentionLists } from './attention-lists'
import { Tasks } from './tasks'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.attention_title)

const linkClasses = 'font-medium text-accent-ink underline decoration-accent-ink/35 underline-offset-2'

/** That the service has disabled webhooks; nothing where it hasn't, or can't be asked. */
async function DisabledWebhooks({ session }: { session: Session }) {
  const result = await readRecord(session, 'listWebhooks')
  const list = 'record' in result ? parseWebhooks(result.record) : null
  const count = list?.entries.filter(({ disabled }) => disabled !== null).length ?? 0
  if (count === 0) return null
  return (
    <section aria-labelledby="disabled-webhooks" className="rounded-lg border border-line bg-surface p-5 max-md:p-4">
      <h2 id="disabled-webhooks" className="font-semibold">
        {m.attention_disabledWebhooks()}
      </h2>
      <p className="mt-1 text-negative">{m.attention_disabledWebhooksNote({ count })}</p>
      <Link href="/webhooks" className={`${linkClasses} mt-2 inline-flex items-center max-md:min-h-11`}>
        {m.attention_openWebhooks()}
      </Link>
    </section>
  )
}

const recentLists = [
  ['/payments?state=Rejected&modified=last-30-days', m.attention_rejectedLately],
  ['/payments?state=Chargeback&modified=last-30-days', m.attention_chargebacksLately],
] as const
const allLists = [
  ['/payments?state=Rejected', m.attention_rejectedAll],
  ['/payments?state=Chargeback', m.attention_chargebacksAll],
] as const

/** Whether the last count found that failed payments can be told apart by their last change, by which the lists below are filtered. */
function hasRecentLists(session: Session): boolean {
  const count = findOverview(session)
  const figures = (count?.end ? count : count?.lastWhole)?.read().figures ?? []
  return figures.length > 0 && figures.every(({ filters }) => filters.failedBy === 'modified')
}

/** What is waiting for a person: the reader's tasks, requests for approval, the reader's unconfirmed lists, unknown outcomes, disabled webhooks, failed payments. */
export default async function AttentionPage() {
  const session = await requirePageSession()
  const store = await requireStore()
  const [tasks, attention] = await Promise.all([listTasks(store, session), readAttention(session)])
  return (
    <>
      <PageHeader title={m.attention_title()} about={m.attention_about()} />
      <div className="grid max-w-page gap-4 px-4 pb-12 md:px-8">
        {/* What others do makes the lists below grow and shrink. */}
        <Tasks initialTasks={tasks} />
        <AttentionLists initial={attention} />
        {hasPermission(session.role, 'manage') ? (
          <Suspense fallback={null}>
            <DisabledWebhooks session={session} />
          </Suspense>
        ) : null}
        <section aria-labelledby="failed-payments" className="rounded-lg border border-line bg-surface p-5 max-md:p-4">
          <h2 id="failed-payments" className="font-semibold">
            {m.attention_failedPayments()}
          </h2>
          <ul className="mt-2 grid gap-2">
            {[...(hasRecentLists(session) ? recentLists : []), ...allLists].map(([href, name]) => (
              <li key={href}>
                <Link href={href} className={`${linkClasses} max-md:inline-flex max-md:min-h-11 max-md:items-center`}>
                  {name()}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}
