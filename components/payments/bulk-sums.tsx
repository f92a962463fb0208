'use client'

import type { BulkSum } from '@/lib/domain/cancellations/bulk-cancellation'
import { modeLabels } from '@/lib/domain/cancellations/bulk-messages'
import { Amount } from './amount'
import { Badge } from '../ui/badge'
import { useFormatCount } from '../layout/app-config'
import * as m from '@/lib/messages/m'

/** Count and sum of payments by currency, live and test separately. */
export function BulkSums({ sums }: { sums: readonly BulkSum[] }) {
  const formatCount = useFormatCount()
  return (
    <ul className="flex flex-wrap items-baseline gap-x-5 gap-y-1" data-sums="">
      {sums.map(({ mode, currency, count, sum }) => (
        <li key={`${mode} ${currency}`} className="inline-flex items-baseline gap-2">
          <Badge tone={mode === 'live' ? 'neutral' : 'caution'}>{modeLabels[mode]()}</Badge>
          <span>{m.bulkSums_ofPayments({ count, written: formatCount(count) })}</span>
          <span className="font-medium tabular-nums">
            {sum === null ? m.bulkSums_sumThatCannotBeTold() : <Amount amount={sum} currency={currency} />}
          </span>
        </li>
      ))}
    </ul>
  )
}
