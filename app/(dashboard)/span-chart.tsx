'use client'

import { useId } from 'react'
import { Amount } from '@/components/payments/amount'
import { useAppConfig, useFormatCount } from '@/components/layout/app-config'
import { mergeClasses } from '@/components/ui/merge-classes'
import type { PeriodTally } from '@/lib/domain/overview'
import { formatDay, formatMonth } from '@/lib/domain/date'
import { formatMoneyLine } from '@/lib/domain/money'

import * as m from '@/lib/messages/m'
type SpanChartProps = {
  title: string
  kind: 'day' | 'month'
  spans: readonly PeriodTally[]
  currency: string | null
  /** The group of these figures, such as "Live, DKK". */
  name: string
}

const width = 1_000
const height = 140
/** Up to this many bars are all labelled; of more only the first and the last one. */
const MAX_LABELLED_BARS = 8

/** All days or months from the first to the last, including empty ones, so that gaps in time are gaps in the chart. */
function fillGaps(spans: readonly PeriodTally[], kind: 'day' | 'month'): PeriodTally[] {
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return []
  const known = new Map(spans.map((span) => [span.at, span]))
  const filled: PeriodTally[] = []
  const date = new Date(`${kind === 'day' ? first.at : `${first.at}-01`}T00:00:00Z`)
  for (let at = first.at; at <= last.at && filled.length < 400; ) {
    filled.push(known.get(at) ?? { at, count: 0, sum: '0' })
    if (kind === 'day') date.setUTCDate(date.getUTCDate() + 1)
    else date.setUTCMonth(date.getUTCMonth() + 1)
    at = date.toISOString().slice(0, kind === 'day' ? 10 : 7)
  }
  return filled
}

function nameSpan(at: string, kind: 'day' | 'month', locale: string): string {
  return kind === 'day' ? formatDay(at, locale) : formatMonth(at, locale)
}

/** Sums as bars, and the same as a table. Hand-written: a chart library would be larger than the page. */
export function SpanChart({ title, kind, spans, currency, name }: SpanChartProps) {
  const id = useId()
  const { amounts, locale } = useAppConfig()
  const formatCount = useFormatCount()
  const bars = fillGaps(spans, kind)
  const highest = Math.max(...bars.map(({ sum }) => Number(sum)), 0)
  const step = width / Math.max(bars.length, 1)
  const label = (span: PeriodTally) =>
    `${nameSpan(span.at, kind, locale)}: ${formatCount(span.count)}, ${formatMoneyLine(span.sum, currency, amounts, locale)}`
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg border border-line bg-surface p-5 max-md:p-4">
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      {bars.length === 0 ? (
        <p className="mt-1 text-ink-soft">{m.overview_noneAmongThePayments()}</p>
      ) : (
        <>
          <p aria-hidden="true" className="mt-2 truncate text-xs text-ink-soft">
            {formatMoneyLine(String(highest), currency, amounts, locale)}
          </p>
          <svg
            role="img"
            aria-label={m.overview_barsTheSameFiguresStand({ title, name })}
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            className="mt-1 h-36 w-full border-t border-b border-t-line border-b-edge forced-colors:border-current"
          >
            {bars.map((span, index) => {
              const tall = highest > 0 ? Math.max((Number(span.sum) / highest) * height, span.count > 0 ? 2 : 0) : 0
              return (
                <g key={span.at}>
                  <title>{label(span)}</title>
                  <rect x={index * step} y={0} width={step} height={height} className="fill-transparent" />
                  <rect
                    x={index * step + step * 0.12}
                    y={height - tall}
                    width={step * 0.76}
                    height={tall}
                    className="fill-accent forced-colors:fill-[CanvasText]"
                  />
                </g>
              )
            })}
          </svg>
          {bars.length <= MAX_LABELLED_BARS ? (
            <p
              className="mt-1 grid text-center text-xs text-ink-soft max-md:hidden"
              style={{ gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` }}
            >
              {bars.map(({ at }) => (
                <span key={at}>{nameSpan(at, kind, locale)}</span>
              ))}
            </p>
          ) : null}
          <p
            className={mergeClasses(
              'mt-1 flex justify-between text-xs text-ink-soft',
              bars.length <= MAX_LABELLED_BARS && 'md:hidden',
            )}
          >
            <span>{nameSpan(bars[0]?.at ?? '', kind, locale)}</span>
            {bars.length > 1 ? <span>{nameSpan(bars.at(-1)?.at ?? '', kind, locale)}</span> : null}
          </p>
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
                {spans.map((span) => (
                  <tr key={span.at} className="border-b border-line last:border-0">
                    <th scope="row" className="py-1.5 pr-4 font-normal whitespace-nowrap">
                      {nameSpan(span.at, kind, locale)}
                    </th>
                    <td className="py-1.5 pr-4 text-right">{formatCount(span.count)}</td>
                    <td className="py-1.5 text-right">
                      <Amount amount={span.sum} currency={currency} />
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
