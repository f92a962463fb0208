'use client'

import { copyValue } from '@/components/data-table/grid-actions'
import { useAppConfig, useFormatCount } from '@/components/layout/app-config'
import { Link } from '@/components/layout/link'
import { Amount } from '@/components/payments/amount'
import { TestBadge } from '@/components/payments/badges'
import { Button, buttonClasses } from '@/components/ui/button'
import { sumTallies } from '@/lib/domain/amounts/amount-sums'
import { formatDay } from '@/lib/domain/dates/date'
import { formatMoneyLine } from '@/lib/domain/amounts/money'
import { type CustomerSummary, listMonthsBack, type OverviewFigures, type Tally } from '@/lib/domain/overview'
import { linkFigures } from '../../figure-links'
import * as m from '@/lib/messages/m'

const modeNames = { test: m.overview_test, unsaid: m.overview_modeNotSaid }

type Group = {
  figures: OverviewFigures
  collected: Tally
  comingUp: Tally
  /** The next day on which the payer is debited, within four weeks. */
  next: string | null
  failed: Tally
}

function toGroup(figures: OverviewFigures): Group {
  return {
    figures,
    collected: sumTallies(figures.settled),
    comingUp: sumTallies([...figures.toCome, figures.later, figures.overdue]),
    next: figures.toCome[0]?.at ?? null,
    failed: sumTallies([figures.rejected, figures.chargebacks]),
  }
}

type FigureProps = { label: string; tally: Tally; currency: string | null; href: string | null; note?: string | null }

function Figure({ label, tally, currency, href, note }: FigureProps) {
  const amount = <Amount amount={tally.sum} currency={currency} className="font-semibold tabular-nums" />
  return (
    <div className="min-w-0" data-figure={label}>
      <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
      <dd>
        {href && tally.count > 0 ? (
          <Link href={href} className="text-accent-ink underline decoration-accent-ink/35 underline-offset-2">
            {amount}
          </Link>
        ) : (
          amount
        )}
        <span className="block text-[0.8125rem] text-ink-soft">
          {m.overview_paymentCount({ count: tally.count })}
          {note ? ` · ${note}` : ''}
        </span>
      </dd>
    </div>
  )
}

type CustomerSummaryProps = {
  summary: CustomerSummary
  customerId: string
  /** What the customer is called, for the copy. */
  name: string
  statementHref: string
}

/** What a customer has paid, will pay and has not paid, per mode and currency: the answer to most calls. */
export function CustomerSummaryFigures({ summary, customerId, name, statementHref }: CustomerSummaryProps) {
  const { locale, amounts } = useAppConfig()
  const formatCount = useFormatCount()
  const { today, figures, counted, isComplete } = summary
  const order = { live: 0, unsaid: 1, test: 2 }
  const groups = figures.map(toGroup).toSorted((one, other) => order[one.figures.mode] - order[other.figures.mode])
  const firstMonth = listMonthsBack(today)[0] ?? today
  const unreadAmounts = figures.reduce((total, one) => total + one.unreadAmounts, 0)
  /** What the figures leave out. */
  const gaps = [
    ...(isComplete ? [] : [m.customerSummary_notAll({ written: formatCount(counted) })]),
    ...(unreadAmounts === 0
      ? []
      : [m.overview_amountsOfPaymentsCouldNot({ count: unreadAmounts, written: formatCount(unreadAmounts) })]),
  ]

  function copy(): void {
    const lines = groups.flatMap(({ figures: { currency, mode }, collected, comingUp, failed, next }) => {
      const money = ({ sum }: Tally) => formatMoneyLine(sum, currency, amounts, locale)
      const group = mode === 'live' ? (currency ?? '') : `${modeNames[mode]()}, ${currency ?? ''}`
      const line = m.customerSummary_copiedLine({
        group,
        collected: money(collected),
        collectedCount: formatCount(collected.count),
        comingUp: money(comingUp),
        comingUpCount: formatCount(comingUp.count),
        failed: money(failed),
        failedCount: formatCount(failed.count),
      })
      return next ? [line, m.customerSummary_copiedNext({ day: formatDay(next, locale) })] : [line]
    })
    void copyValue(m.customerSummary_copiedText({ name, lines: [...lines, ...gaps].join('\n') }))
  }

  return (
    <section
      aria-labelledby="summary"
      data-summary=""
      className="mb-4 rounded-lg border border-line bg-surface p-5 max-md:p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="summary" className="font-semibold">
          {m.customerSummary_title()}
        </h2>
        <div className="flex flex-wrap gap-2">
          <Link href={statementHref} className={buttonClasses('secondary', 'small')}>
            {m.customerSummary_statement()}
          </Link>
          <Button size="small" onClick={copy}>
            {m.customerSummary_copy()}
          </Button>
        </div>
      </div>
      {groups.length === 0 ? <p className="mt-2 text-ink-soft">{m.customerSummary_none()}</p> : null}
      <div className="mt-3 grid gap-4">
        {groups.map((group) => {
          const { mode, currency } = group.figures
          const links = linkFigures(summary, group.figures, { customer: customerId })
          return (
            <div key={`${mode} ${currency ?? ''}`} className="grid gap-1">
              {mode === 'live' ? null : (
                <p>
                  <TestBadge test={mode === 'test' ? true : null} />
                </p>
              )}
              <dl className="grid grid-cols-3 gap-4 max-sm:grid-cols-1 max-sm:gap-2">
                <Figure
                  label={m.customerSummary_collected()}
                  tally={group.collected}
                  currency={currency}
                  href={links.settledSince(firstMonth)}
                />
                <Figure
                  label={m.customerSummary_comingUp()}
                  tally={group.comingUp}
                  currency={currency}
                  href={links.open}
                  note={group.next && m.customerSummary_next({ day: formatDay(group.next, locale) })}
                />
                <Figure
                  label={m.customerSummary_failed()}
                  tally={group.failed}
                  currency={currency}
                  href={links.failed}
                />
              </dl>
            </div>
          )
        })}
      </div>
      {gaps.map((gap) => (
        <p key={gap} className="mt-3 text-caution">
          {gap}
        </p>
      ))}
    </section>
  )
}
