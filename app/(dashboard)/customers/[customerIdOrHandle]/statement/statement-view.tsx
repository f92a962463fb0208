'use client'

import { useAppConfig, useFormatCount } from '@/components/layout/app-config'
import { PageHeader } from '@/components/layout/page-header'
import { Amount } from '@/components/payments/amount'
import { StatusBadge } from '@/components/payments/status-badge'
import { Button } from '@/components/ui/button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { saveFile } from '@/lib/client/save-file'
import { type CsvCell, csvFlavourOf, writeCsv } from '@/lib/domain/csv'
import { formatDay } from '@/lib/domain/dates/date'
import { parseExactMoney } from '@/lib/domain/amounts/exact-amounts'
import type { AmountUnit } from '@/lib/domain/amounts/money'
import { type Statement, type StatementLine, sumStatement } from '@/lib/domain/statement'
import * as m from '@/lib/messages/m'
import { StatementPeriod } from './statement-period'

function toCsvRow({ day, settledOn, payment }: StatementLine, unit: AmountUnit): CsvCell[] {
  const { reference, description, amount, currency, status } = payment
  const money = parseExactMoney(amount, currency, unit)
  return [
    day,
    reference ?? '',
    description ?? '',
    status ?? '',
    money ? { number: money.decimal } : String(amount ?? ''),
    currency ?? '',
    settledOn ?? '',
  ]
}

const cell = 'py-1.5 pr-4 align-baseline'
/** On phones each line is a grid of two columns. */
const lineCell = `${cell} max-md:not-print:p-0`
const rightCell = `${lineCell} max-md:not-print:col-start-2 max-md:not-print:justify-self-end`
const headCell = 'py-1.5 pr-4 text-left font-medium'

type StatementViewProps = {
  title: string
  merchantName: string
  number: string | null
  statement: Statement
}

/** A statement on screen and on paper, with its period to choose. */
export function StatementView({ title, merchantName, number, statement }: StatementViewProps) {
  const { period, today, lines, isComplete, counted } = statement
  const sums = sumStatement(lines)
  const unsaid = lines.filter(({ payment }) => payment.test === null).length
  const unreadAmounts = sums.reduce((total, sum) => total + sum.unreadAmounts, 0)
  const { amounts, locale, schemeZone } = useAppConfig()
  const formatCount = useFormatCount()
  const periodText = m.statement_period({ from: formatDay(period.from, locale), to: formatDay(period.to, locale) })

  function downloadCsv(): void {
    const head = [
      m.statement_date(),
      m.statement_reference(),
      m.statement_description(),
      m.statement_state(),
      m.statement_amount(),
      m.statement_currency(),
      m.statement_settled(),
    ]
    saveFile(
      `${m.statement_title().toLowerCase()}-${period.from}-${period.to}.csv`,
      writeCsv([head, ...lines.map((line) => toCsvRow(line, amounts))], csvFlavourOf(locale)),
      'text/csv',
    )
  }

  return (
    <>
      <PageHeader
        isNarrow
        title={<UntrustedText>{title}</UntrustedText>}
        about={
          <>
            <UntrustedText>{merchantName}</UntrustedText> · {periodText}
            {number ? (
              <>
                {' · '}
                <UntrustedText>{m.statement_customerNumber({ number })}</UntrustedText>
              </>
            ) : null}
            {' · '}
            {m.statement_printedOn({ day: formatDay(today, locale) })}
          </>
        }
      >
        <span className="contents print:hidden">
          <Button onClick={downloadCsv} className="print:hidden">
            {m.statement_csv()}
          </Button>
          <Button tone="primary" onClick={() => window.print()} className="print:hidden">
            {m.statement_print()}
          </Button>
        </span>
      </PageHeader>
      <div className="grid max-w-page gap-6 px-4 pb-12 md:px-8" data-statement="">
        <StatementPeriod period={period} />
        {isComplete ? null : <p className="text-caution">{m.statement_notAll({ written: formatCount(counted) })}</p>}
        {unreadAmounts === 0 ? null : (
          <p className="text-caution">
            {m.overview_amountsOfPaymentsCouldNot({ count: unreadAmounts, written: formatCount(unreadAmounts) })}
          </p>
        )}
        {lines.length === 0 ? (
          <p className="text-ink-soft">{m.statement_none()}</p>
        ) : (
          <>
            <table className="w-full max-w-xl tabular-nums">
              <caption className="mb-1 text-left font-semibold">{m.statement_sums()}</caption>
              <thead className="text-[0.8125rem] text-ink-soft">
                <tr className="border-b border-line">
                  <th scope="col" className={headCell}>
                    {m.statement_state()}
                  </th>
                  <th scope="col" className={`${headCell} text-right`}>
                    {m.statement_count()}
                  </th>
                  <th scope="col" className={`${headCell} text-right`}>
                    {m.statement_amount()}
                  </th>
                </tr>
              </thead>
              <tbody>
                {sums.map(({ currency, status, count, sum }) => (
                  <tr key={`${currency} ${status}`} className="border-b border-line last:border-0">
                    <th scope="row" className={`${cell} text-left font-normal`}>
                      <StatusBadge status={status} />
                    </th>
                    <td className={`${cell} text-right`}>{formatCount(count)}</td>
                    <td className={`${cell} text-right`}>
                      <Amount amount={sum} currency={currency} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <div className="overflow-x-auto">
              <table className="w-full tabular-nums max-md:not-print:block">
                <caption className="sr-only">{title}</caption>
                <thead className="text-[0.8125rem] text-ink-soft max-md:not-print:sr-only">
                  <tr className="border-b border-line">
                    {[m.statement_date(), m.statement_reference(), m.statement_description(), m.statement_state()].map(
                      (name) => (
                        <th key={name} scope="col" className={headCell}>
                          {name}
                        </th>
                      ),
                    )}
                    <th scope="col" className={`${headCell} text-right`}>
                      {m.statement_amount()}
                    </th>
                    <th scope="col" className={headCell}>
                      {m.statement_settled()}
                    </th>
                  </tr>
                </thead>
                <tbody className="max-md:not-print:block">
                  {lines.map(({ day, settledOn, payment }, index) => (
                    <tr
                      key={payment.id ?? index}
                      className="border-b border-line break-inside-avoid max-md:not-print:grid max-md:not-print:grid-cols-[minmax(0,1fr)_auto] max-md:not-print:gap-x-3 max-md:not-print:gap-y-1 max-md:not-print:py-2.5"
                    >
                      <td className={`${lineCell} whitespace-nowrap`}>{formatDay(day, locale)}</td>
                      <td className={`${lineCell} max-md:not-print:row-start-3 md:min-w-36 print:min-w-36`}>
                        <UntrustedText>{payment.reference ?? ''}</UntrustedText>
                      </td>
                      <td className={`${lineCell} max-md:not-print:row-start-2`}>
                        <UntrustedText>{payment.description ?? ''}</UntrustedText>
                      </td>
                      <td className={`${rightCell} max-md:not-print:row-start-2`}>
                        <StatusBadge status={payment.status} />
                      </td>
                      <td className={`${rightCell} text-right whitespace-nowrap max-md:not-print:row-start-1`}>
                        <Amount amount={payment.amount} currency={payment.currency} />
                      </td>
                      <td className={`${rightCell} whitespace-nowrap max-md:not-print:row-start-3`}>
                        {settledOn ? (
                          <>
                            <span className="text-ink-soft md:hidden print:hidden">{m.statement_settled()} </span>
                            {formatDay(settledOn, locale)}
                          </>
                        ) : null}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
        <p className="text-[0.8125rem] text-ink-soft">
          {unsaid === 0
            ? m.statement_live({ zone: schemeZone })
            : m.statement_liveOrUnsaid({ count: unsaid, written: formatCount(unsaid), zone: schemeZone })}
        </p>
      </div>
    </>
  )
}
