'use client'

import { useId } from 'react'
import { useAppConfig } from '@/components/layout/app-config'
import { MAX_VALUE_LENGTH } from '@/lib/domain/lists/filter-values'
import { Button } from '@/components/ui/button'
import { DateField } from '@/components/ui/date-field'
import { isDay } from '@/lib/domain/dates/date'
import type { Period } from '@/lib/domain/statement'
import { escapeInvisible, truncate } from '@/lib/domain/text/visible-text'
import * as m from '@/lib/messages/m'

function explainDay(day: string): string | null {
  if (isDay(day)) return null
  return m.filters_notUnderstood({ value: truncate(escapeInvisible(day), MAX_VALUE_LENGTH) })
}

/** The period of a statement, to choose, with what is wrong with the one that its address names. */
export function StatementPeriod({ period: { from, to } }: { period: Period }) {
  const id = useId()
  const { merchant } = useAppConfig()
  const errors = { from: explainDay(from), to: explainDay(to) }
  if (!errors.from && !errors.to && from > to) errors.to = m.filters_datesAreReversed()
  return (
    <form key={`${from} ${to}`} className="flex flex-wrap items-start gap-3 print:hidden">
      {merchant === null ? null : <input type="hidden" name="merchant" value={merchant} />}
      <DateField
        id={`${id}-from`}
        name="from"
        label={m.statement_from()}
        error={errors.from}
        required
        defaultValue={isDay(from) ? from : ''}
      />
      <DateField
        id={`${id}-to`}
        name="to"
        label={m.statement_to()}
        error={errors.to}
        required
        defaultValue={isDay(to) ? to : ''}
      />
      <Button type="submit" className="self-end">
        {m.statement_show()}
      </Button>
    </form>
  )
}
