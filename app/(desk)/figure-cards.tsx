'use client'

import Link from 'next/link'
import { Amount } from '@/components/amount'
import { formatCount } from '@/components/data-table/walk-words'
import type { OverviewFigures, Tally } from '@/lib/contract/overview'
import { SpanChart } from './span-chart'

type FigureProps = { label: string; tally: Tally; currency: string | null; href?: string; note?: string }

function Figure({ label, tally, currency, href, note }: FigureProps) {
  const words = href ? (
    <Link
      href={href}
      prefetch={false}
      className="text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current"
    >
      {label}
    </Link>
  ) : (
    label
  )
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface p-4" data-figure={label}>
      <dt className="text-[0.8125rem] font-medium text-ink-soft">{words}</dt>
      <dd>
        <span className="mt-1 block text-xl font-semibold tabular-nums">{formatCount(tally.count)}</span>
        {tally.count > 0 ? (
          <Amount amount={tally.sum} currency={currency} className="block wrap-anywhere text-ink-soft" />
        ) : null}
        {note ? <span className="mt-1 block text-xs text-ink-soft">{note}</span> : null}
      </dd>
    </div>
  )
}

/** The figures of one mode and currency. */
export function FigureCards({ figures, name }: { figures: OverviewFigures; name: string }) {
  const { mode, currency, toCome, settled, later, overdue, rejected, chargebacks, closingSoon, unreadAmounts } = figures
  const query = mode === 'unsaid' ? '' : `&mode=${mode}`
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <Figure label="Rejected" tally={rejected} currency={currency} href={`/payments?state=Rejected${query}`} />
        <Figure
          label="Chargebacks"
          tally={chargebacks}
          currency={currency}
          href={`/payments?state=Chargeback${query}`}
        />
        <Figure
          label="Closing soon"
          tally={closingSoon}
          currency={currency}
          note="May still be cancelled, planned for today or the next two days. An estimate: the service names no cut-off."
        />
        {overdue.count > 0 ? (
          <Figure
            label="Past their day"
            tally={overdue}
            currency={currency}
            note="Not ended, and the day of the payment is over."
          />
        ) : (
          <Figure
            label="Later"
            tally={later}
            currency={currency}
            note="To come in more than four weeks, or without a day."
          />
        )}
      </dl>
      <SpanChart title="To come, per day" kind="day" spans={toCome} currency={currency} name={name} />
      <SpanChart title="Settled, per month" kind="month" spans={settled} currency={currency} name={name} />
      {unreadAmounts > 0 ? (
        <p className="text-caution">
          The amounts of {formatCount(unreadAmounts)} payments could not be read; they are counted, and missing from the
          sums.
        </p>
      ) : null}
    </>
  )
}
