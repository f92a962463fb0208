import { OutcomeBadge } from '@/components/payments/outcome-badge'
import { Timestamp } from '@/components/timestamp'
import type { CancellationView } from '@/lib/contract/cancellation'
import { writePageAddress } from '@/lib/format/page-address'
import { findUnsettledCancellations } from '@/lib/server/cancellations/find-cancellations'
import type { Session } from '@/lib/server/session'
import * as words from '@/lib/words/overview'
import { Link } from '@/components/link'

/** As many as can be taken in at a glance; the rest is counted. */
const shownAtMost = 8

function OpenCancellation({ view }: { view: CancellationView }) {
  const page = writePageAddress('/payments', view.paymentId)
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-2 max-md:px-4">
      <OutcomeBadge view={view} />
      <span className="min-w-0 flex-1 basis-60 truncate" title={view.text}>
        {view.text}
      </span>
      <span className="text-[0.8125rem] text-ink-soft">
        {view.requestedBy}, <Timestamp value={view.requestedAt} />
      </span>
      {page ? (
        <Link
          href={page}
          className="inline-flex min-h-6 items-center font-medium text-accent-ink hover:underline max-md:min-h-11"
        >
          {words.openPayment}
        </Link>
      ) : null}
    </li>
  )
}

/** Cancellations that were asked for and have no end yet, and first those that need a person. */
export async function OpenCancellations({ session }: { session: Session }) {
  const open = await findUnsettledCancellations(session.scope)
  const further = open.length - shownAtMost
  return (
    <section aria-labelledby="open-cancellations" className="rounded-lg border border-line bg-surface">
      <div className="p-5 max-md:px-4">
        <h2 id="open-cancellations" className="font-semibold">
          {words.cancellationsNotSettledYet}
        </h2>
        <p className="mt-0.5 text-ink-soft">
          {open.length === 0 ? words.noneEveryCancellationIsSettled : words.ofThisMerchant(open.length)}
        </p>
      </div>
      {open.length > 0 ? (
        <ul>
          {open.slice(0, shownAtMost).map((view) => (
            <OpenCancellation key={view.id} view={view} />
          ))}
        </ul>
      ) : null}
      {further > 0 ? (
        <p className="border-t border-line px-5 py-3 text-ink-soft max-md:px-4">{words.andMore(further)}</p>
      ) : null}
    </section>
  )
}
