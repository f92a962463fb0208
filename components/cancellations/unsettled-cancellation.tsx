import { useFocusLost } from '@/lib/client/page-lifecycle'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { buildPagePath } from '@/lib/domain/page-address'
import { Link } from '../layout/link'
import { Amount } from '../payments/amount'
import { describeOutcome } from '@/lib/domain/cancellations/outcome-reasons'
import { OutcomeBadge } from '../payments/badges'
import { Timestamp } from '../records/dates'
import { mergeClasses } from '../ui/merge-classes'
import { UntrustedText } from '../ui/untrusted-text'

type UnsettledCancellationProps = {
  view: CancellationView
  className: string
  /** Called when it disappears with the focus in it. */
  onFocusLost: () => void
}

/** A cancellation in a list of those without a final outcome: of which payment, why, and who asked for it. */
export function UnsettledCancellation({ view, className, onFocusLost }: UnsettledCancellationProps) {
  const page = buildPagePath('/payments', view.paymentId)
  const payment = (
    <>
      <UntrustedText>{view.named ?? view.paymentId}</UntrustedText>
      {view.seen ? (
        <>
          {', '}
          <Amount amount={view.seen.amount} currency={view.seen.currency} />
        </>
      ) : null}
    </>
  )
  return (
    <li
      ref={useFocusLost<HTMLLIElement>(onFocusLost)}
      className={mergeClasses('flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-line py-2', className)}
    >
      <OutcomeBadge view={view} why={describeOutcome(view)} />
      {page ? (
        <Link
          href={page}
          className="inline-flex min-h-6 items-center font-medium text-accent-ink underline decoration-accent-ink/35 underline-offset-2 max-md:min-h-11"
        >
          <span>{payment}</span>
        </Link>
      ) : (
        <span>{payment}</span>
      )}
      <span className="min-w-0 flex-1 basis-60 truncate" title={view.text}>
        <UntrustedText>{view.text}</UntrustedText>
      </span>
      <span className="text-[0.8125rem] text-ink-soft">
        {view.requestedBy}, <Timestamp value={view.requestedAt} />
      </span>
    </li>
  )
}
