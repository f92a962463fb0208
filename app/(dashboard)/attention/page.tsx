import { PageHeader } from '@/components/layout/page-header'
import { Link } from '@/components/layout/link'
import { OutcomeBadge } from '@/components/payments/badges'
import { BulkBadge } from '@/components/payments/bulk-badge'
import { BulkSums } from '@/components/payments/bulk-sums'
import { Timestamp } from '@/components/records/dates'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { hasPermission, permissionForList } from '@/lib/api-contract/permission'
import { describeSource } from '@/lib/domain/cancellations/bulk-messages'
import type { BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { buildPagePath } from '@/lib/domain/page-address'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import { requirePageSession } from '@/lib/server/auth/session'
import { listAwaiting, listOwnRequests, listOwnUnconfirmed } from '@/lib/server/bulk-cancellations/queries'
import { findUnsettledCancellations } from '@/lib/server/cancellations/queries'
import { listTasks } from '@/lib/server/notes/notes'
import { requireStore } from '@/lib/server/store/store'
import { Tasks } from './tasks'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.attention_title)

const card = 'rounded-lg border border-line bg-surface p-5 max-md:p-4'
const linkClasses = 'font-medium text-accent-ink underline decoration-accent-ink/35 underline-offset-2'

type RequestRowProps = { view: BulkView; name: string; text: string; by: string | null }

/** A request for approval: of somebody else with who made it, of the reader with its state. */
function RequestRow({ view, name, text, by }: RequestRowProps) {
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 last:border-b-0">
      <Link
        href={`/payments/bulk/${view.id}`}
        className={`${linkClasses} max-md:inline-flex max-md:min-h-11 max-md:items-center`}
      >
        {name}
      </Link>
      {by === null ? <BulkBadge view={view} /> : null}
      <span className="min-w-0 flex-1 basis-60 truncate">
        <UntrustedText>{text}</UntrustedText>
      </span>
      <BulkSums sums={view.sums} />
      <span className="text-[0.8125rem] text-ink-soft">
        {by === null ? null : `${by}, `}
        <Timestamp value={view.approval?.requestedAt ?? view.createdAt} />
      </span>
    </li>
  )
}

/** Bulk cancellations that wait for the reader's approval. */
function Approvals({ awaiting }: { awaiting: readonly BulkView[] }) {
  return (
    <section aria-labelledby="approvals" className={card}>
      <h2 id="approvals" className="font-semibold">
        {m.approval_toApprove()}
      </h2>
      {awaiting.length === 0 ? (
        <p className="mt-1 text-ink-soft">{m.approval_nothingToApprove()}</p>
      ) : (
        <ul className="mt-2 grid">
          {awaiting.map((view) => (
            <RequestRow
              key={view.id}
              view={view}
              name={m.approval_review({ count: m.overview_paymentCount({ count: view.count }) })}
              text={describeSource(view.source)}
              by={view.requestedBy}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Lists of the reader: requests for approval that wait or were not approved lately, or what is not confirmed yet. */
function OwnLists({ id, title, lists }: { id: string; title: string; lists: readonly BulkView[] }) {
  return (
    <section aria-labelledby={id} className={card}>
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      <ul className="mt-2 grid">
        {lists.map((view) => (
          <RequestRow
            key={view.id}
            view={view}
            name={view.count > 0 ? m.overview_paymentCount({ count: view.count }) : m.approval_openList()}
            text={view.approval?.note ?? describeSource(view.source)}
            by={null}
          />
        ))}
      </ul>
    </section>
  )
}

/** What is waiting for a person: requests for approval, the reader's unconfirmed lists and tasks, unknown outcomes, failed payments. */
export default async function AttentionPage() {
  const session = await requirePageSession()
  const store = await requireStore()
  const mayApprove = hasPermission(session.role, 'bulk')
  const [tasks, awaiting, requests, lists, open] = await Promise.all([
    listTasks(store, session),
    mayApprove ? listAwaiting(store, session.scope, session.userId) : [],
    listOwnRequests(store, session.scope, session.userId),
    listOwnUnconfirmed(store, session.scope, session.userId),
    findUnsettledCancellations(session.scope),
  ])
  // A role may have changed since.
  const unconfirmed = lists.filter(({ count }) => hasPermission(session.role, permissionForList(count)))
  const unknown = open.filter(({ outcome }) => outcome === 'unknown' || outcome === 'needs-person')
  return (
    <>
      <PageHeader title={m.attention_title()} about={m.attention_about()} />
      <div className="grid max-w-5xl gap-4 px-4 pb-12 md:px-8">
        {mayApprove ? <Approvals awaiting={awaiting} /> : null}
        {unconfirmed.length > 0 ? (
          <OwnLists id="unconfirmed" title={m.approval_ownUnconfirmed()} lists={unconfirmed} />
        ) : null}
        {requests.length > 0 ? <OwnLists id="own-requests" title={m.approval_ownRequests()} lists={requests} /> : null}
        <Tasks initialTasks={tasks} />
        <section aria-labelledby="unknown-outcomes" className={card}>
          <h2 id="unknown-outcomes" className="font-semibold">
            {m.attention_unknownOutcomes()}
          </h2>
          {unknown.length === 0 ? (
            <p className="mt-1 text-ink-soft">{m.attention_noUnknownOutcomes()}</p>
          ) : (
            <ul className="mt-2 grid">
              {unknown.map((view) => {
                const page = buildPagePath('/payments', view.paymentId)
                return (
                  <li
                    key={view.id}
                    className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 last:border-b-0"
                  >
                    <OutcomeBadge view={view} />
                    {page ? (
                      <Link href={page} className={linkClasses}>
                        <UntrustedText>{view.paymentId}</UntrustedText>
                      </Link>
                    ) : null}
                    <span className="min-w-0 flex-1 basis-60 truncate">
                      <UntrustedText>{view.text}</UntrustedText>
                    </span>
                    <span className="text-[0.8125rem] text-ink-soft">
                      {view.requestedBy}, <Timestamp value={view.requestedAt} />
                    </span>
                  </li>
                )
              })}
            </ul>
          )}
        </section>
        <section aria-labelledby="failed-payments" className={card}>
          <h2 id="failed-payments" className="font-semibold">
            {m.attention_failedPayments()}
          </h2>
          <ul className="mt-2 grid gap-2">
            {(
              [
                ['/payments?state=Rejected&payment=last-30-days', m.attention_rejectedLately],
                ['/payments?state=Chargeback&payment=last-30-days', m.attention_chargebacksLately],
                ['/payments?state=Rejected', m.attention_rejectedAll],
                ['/payments?state=Chargeback', m.attention_chargebacksAll],
              ] as const
            ).map(([href, name]) => (
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
