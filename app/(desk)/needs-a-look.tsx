'use client'

import { CircleX, Clock, Hourglass, Undo2, type LucideIcon } from 'lucide-react'
import { Amount } from '@/components/amount'
import { Link } from '@/components/link'
import { useCount } from '@/components/use-count'
import type { OverviewFigures, Tally } from '@/lib/contract/overview'
import * as words from '@/lib/words/overview'

type FigureProps = {
  label: string
  icon: LucideIcon
  tally: Tally
  currency: string | null
  /** The payments themselves, where a filter can name them. */
  href?: string
  note?: string
}

function Figure({ label, icon: Icon, tally, currency, href, note }: FigureProps) {
  const formatCount = useCount()
  return (
    <li className="relative flex gap-3 border-t border-line px-5 py-3 max-md:px-4" data-figure={label}>
      <Icon className={`mt-0.5 size-4.5 ${tally.count > 0 ? 'text-negative' : 'text-ink-faint'}`} />
      <div className="min-w-0 flex-1">
        <p className="flex justify-between gap-3 font-medium">
          {href ? (
            <Link
              href={href}
              className="leading-6 text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current max-md:after:absolute max-md:after:inset-0"
            >
              {label}
            </Link>
          ) : (
            label
          )}
          <span className="font-semibold tabular-nums">{formatCount(tally.count)}</span>
        </p>
        <Amount amount={tally.sum} currency={currency} className="block wrap-anywhere text-ink-soft" />
        {note ? <p className="mt-0.5 text-xs text-ink-soft">{note}</p> : null}
      </div>
    </li>
  )
}

/** What may want somebody to do something, of one mode and currency. */
export function NeedsALook({ figures }: { figures: OverviewFigures }) {
  const { mode, currency, overdue, rejected, chargebacks, closingSoon, unreadAmounts } = figures
  const formatCount = useCount()
  const query = mode === 'unsaid' ? '' : `&mode=${mode}`
  return (
    <section aria-labelledby="needs-a-look" className="rounded-lg border border-line bg-surface">
      <h3 id="needs-a-look" className="px-5 py-4 font-semibold max-md:px-4">
        {words.needsALook}
      </h3>
      <ul>
        <Figure
          label={words.rejected}
          icon={CircleX}
          tally={rejected}
          currency={currency}
          href={`/payments?state=Rejected${query}`}
        />
        <Figure
          label={words.chargebacks}
          icon={Undo2}
          tally={chargebacks}
          currency={currency}
          href={`/payments?state=Chargeback${query}`}
        />
        <Figure
          label={words.closingSoon}
          icon={Clock}
          tally={closingSoon}
          currency={currency}
          note={words.mayStillBeCancelledPlanned}
        />
        <Figure
          label={words.pastTheirDay}
          icon={Hourglass}
          tally={overdue}
          currency={currency}
          note={words.notEndedAndTheDay}
        />
      </ul>
      {unreadAmounts > 0 ? (
        <p className="border-t border-line px-5 py-3 text-caution max-md:px-4">
          {words.amountsOfPaymentsCouldNot(unreadAmounts, formatCount(unreadAmounts))}
        </p>
      ) : null}
    </section>
  )
}
