'use client'

import { useId } from 'react'
import { useAppConfig, useFormatCount } from '@/components/layout/app-config'
import { Link } from '@/components/layout/link'
import { Amount } from '@/components/payments/amount'
import { mergeClasses } from '@/components/ui/merge-classes'
import { formatDay, formatMonth, formatMonthName, formatShortDay } from '@/lib/domain/dates/date'
import { currencyExponents, formatMoney, formatMoneyLine } from '@/lib/domain/amounts/money'
import type { PeriodTally, Tally } from '@/lib/domain/overview'
import * as m from '@/lib/messages/m'

/** A bar: a period, its link, and the part of it that is drawn darker. */
export type Bar = PeriodTally & { sent?: Tally; href: string | null }

type SpanChartProps = {
  title: string
  kind: 'day' | 'month'
  /** All periods of the chart in order, empty ones included. */
  bars: readonly Bar[]
  /** The period that is still running: today, or this month. */
  current: string
  currency: string | null
  /** The group of these figures, such as "Live, DKK". */
  name: string
}

/** The ends of the axis and of its half: the smallest of 1, 2, 2.5 and 5 times a power of ten that holds the highest bar. */
function findScale(highest: number): number {
  if (highest <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(highest))
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= highest) ?? 10
  return step * power
}

function share(part: string, scale: number): string {
  return `${Math.min(100, (Number(part) / scale) * 100)}%`
}

/**
 * A bar is at least 24 px wide, so that fingers hit it: a narrow chart shows a week, or two, and half a year. The table
 * has them all.
 */
function hideInNarrow(kind: SpanChartProps['kind'], index: number): string {
  if (kind === 'month') return index < 6 ? 'hidden @min-[23rem]:block' : ''
  if (index >= 14) return 'hidden @min-[47rem]:block'
  return index >= 7 ? 'hidden @min-[26rem]:block' : ''
}

type BarProps = {
  bar: Bar
  label: string
  scale: number
  isCurrent: boolean
  edge: 'start' | 'end' | null
  className: string
}

/** One bar; what it stands for shows on hover and focus. */
function ChartBar({ bar, label, scale, isCurrent, edge, className }: BarProps) {
  const height = bar.count > 0 ? `max(2px, ${share(bar.sum, scale)})` : '0'
  const shape = (
    <span
      aria-hidden="true"
      style={{ height }}
      className={mergeClasses(
        'absolute inset-x-[12%] bottom-0 flex flex-col justify-end overflow-hidden rounded-t-[2px] group-hover:brightness-90 forced-colors:bg-[CanvasText]',
        isCurrent ? 'bg-accent/70' : 'bg-accent',
      )}
    >
      {bar.sent && bar.sent.count > 0 ? (
        <span
          style={{ height: share(bar.sent.sum, Math.max(Number(bar.sum), 1)) }}
          className="block bg-ink-faint forced-colors:bg-[GrayText]"
        />
      ) : null}
    </span>
  )
  const classes = 'absolute inset-0 block rounded-sm focus-visible:[outline:2px_solid_var(--focus)]'
  return (
    <li className={mergeClasses('group relative h-full min-w-0 flex-1', className)}>
      {bar.href && bar.count > 0 ? (
        <Link href={bar.href} aria-label={label} className={classes}>
          {shape}
        </Link>
      ) : (
        <span className={classes}>
          <span className="sr-only">{label}</span>
          {shape}
        </span>
      )}
      <span
        aria-hidden="true"
        className={mergeClasses(
          'pointer-events-none absolute bottom-full z-10 mb-1 hidden rounded-md border border-line bg-raised px-2 py-1 text-xs whitespace-nowrap text-ink shadow-panel group-focus-within:block group-hover:block',
          edge === 'start' ? 'left-0' : edge === 'end' ? 'right-0' : 'left-1/2 -translate-x-1/2',
        )}
      >
        {label}
      </span>
    </li>
  )
}

/** Every how many bars the axis has a label: all months, and the days of every week. */
const LABEL_STEP = { day: 7, month: 1 }

/** Sums as bars over a fixed span of time, each of which leads to its payments, and the same as a table. */
export function SpanChart({ title, kind, bars, current, currency, name }: SpanChartProps) {
  const id = useId()
  const { amounts, locale } = useAppConfig()
  const formatCount = useFormatCount()
  const scale = findScale(Math.max(...bars.map(({ sum }) => Number(sum)), 0))
  const money = (sum: string) => formatMoneyLine(sum, currency, amounts, locale)
  const namePeriod = (at: string) => {
    if (kind === 'day') return formatDay(at, locale)
    const month = formatMonth(at, locale)
    return at === current ? m.overview_soFar({ month }) : month
  }
  const label = ({ at, count, sum, sent }: Bar) => {
    const line = m.overview_barLine({ period: namePeriod(at), count, written: formatCount(count), sum: money(sum) })
    return sent && sent.count > 0 ? `${line} (${m.overview_sentAlready({ count: sent.count })})` : line
  }
  const tick = (at: string) => {
    if (kind === 'month') return formatMonthName(at, locale)
    return at === current ? m.overview_today() : formatShortDay(at, locale)
  }
  const hasDecimals = (currencyExponents.get(currency ?? '') ?? 0) > 0
  const axis = (sum: number) => {
    const { text } = formatMoney(String(sum), currency, amounts, locale)
    // The ends of the axis are round: their decimals say nothing. Without decimals, the last zeros are thousands.
    return hasDecimals ? text.replace(/[.,]0+$/u, '') : text
  }
  const filled = bars.filter(({ count }) => count > 0)
  const hasSent = bars.some(({ sent }) => sent && sent.count > 0)
  return (
    <section
      aria-labelledby={id}
      className="@container min-w-0 rounded-lg border border-line bg-surface p-5 max-md:p-4"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {hasSent ? (
          <p aria-hidden="true" className="flex gap-4 text-xs text-ink-soft">
            <span className="flex items-center gap-1.5">
              <span className="size-2.5 rounded-[2px] bg-accent forced-colors:bg-[CanvasText]" />
              {m.overview_legendPlanned()}
            </span>
            <span className="flex items-center gap-1.5">
              <span className="size-2.5 rounded-[2px] bg-ink-faint forced-colors:bg-[GrayText]" />
              {m.overview_legendSent()}
            </span>
          </p>
        ) : null}
      </div>
      {filled.length === 0 ? (
        <p className="mt-1 text-ink-soft">{m.overview_noneAmongThePayments()}</p>
      ) : (
        <>
          <div className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
            <div
              aria-hidden="true"
              className="-mt-2 flex h-[calc(9rem+1rem)] flex-col justify-between text-right text-xs leading-4 text-ink-soft tabular-nums"
            >
              {[scale, scale / 2, 0].map((sum) => (
                <span key={sum}>{axis(sum)}</span>
              ))}
            </div>
            <div className="relative h-36">
              {[100, 50].map((part) => (
                <span
                  key={part}
                  aria-hidden="true"
                  style={{ bottom: `${part}%` }}
                  className="absolute inset-x-0 border-t border-line"
                />
              ))}
              <ul
                aria-label={m.overview_barsTheSameFiguresStand({ title, name })}
                className="absolute inset-0 flex items-end border-b border-edge group-data-[overview=walking]/figures:opacity-50"
              >
                {bars.map((bar, index) => (
                  <ChartBar
                    key={bar.at}
                    bar={bar}
                    label={label(bar)}
                    scale={scale}
                    isCurrent={kind === 'month' && bar.at === current}
                    className={hideInNarrow(kind, index)}
                    edge={index < bars.length / 3 ? 'start' : index > (bars.length * 2) / 3 ? 'end' : null}
                  />
                ))}
              </ul>
            </div>
            <p aria-hidden="true" className="col-start-2 mt-1 flex h-4 text-xs text-ink-soft">
              {bars.map(({ at }, index) => (
                <span
                  key={at}
                  className={mergeClasses(
                    'relative min-w-0 flex-1',
                    kind === 'month' && 'text-center',
                    hideInNarrow(kind, index),
                  )}
                >
                  {index % LABEL_STEP[kind] === 0 ? (
                    <span
                      className={mergeClasses(
                        'whitespace-nowrap',
                        kind === 'day' && 'absolute top-0 left-0',
                        at === current && 'font-medium text-ink',
                      )}
                    >
                      {tick(at)}
                    </span>
                  ) : null}
                </span>
              ))}
            </p>
          </div>
          <details className="mt-2">
            <summary className="inline-flex min-h-6 cursor-pointer items-center text-ink-soft max-md:min-h-11">
              {m.overview_asATable()}
            </summary>
            <table className="mt-2 w-full max-w-xl text-left tabular-nums">
              <caption className="sr-only">
                {title}, {name}
              </caption>
              <thead className="text-[0.8125rem] text-ink-soft">
                <tr className="border-b border-line">
                  <th scope="col" className="py-1.5 pr-4 font-medium">
                    {kind === 'day' ? m.overview_day() : m.overview_month()}
                  </th>
                  <th scope="col" className="py-1.5 pr-4 text-right font-medium">
                    {m.overview_payments()}
                  </th>
                  <th scope="col" className="py-1.5 text-right font-medium">
                    {m.overview_sum()}
                  </th>
                </tr>
              </thead>
              <tbody>
                {filled.map((bar) => (
                  <tr key={bar.at} className="border-b border-line last:border-0">
                    <th scope="row" className="py-1.5 pr-4 font-normal whitespace-nowrap">
                      {namePeriod(bar.at)}
                    </th>
                    <td className="py-1.5 pr-4 text-right">{formatCount(bar.count)}</td>
                    <td className="py-1.5 text-right">
                      <Amount amount={bar.sum} currency={currency} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  )
}
