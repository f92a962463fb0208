'use client'

import { formatMoney } from '@/lib/domain/amounts/money'
import { useAppConfig } from '../layout/app-config'
import { UntrustedText } from '../ui/untrusted-text'
import { mergeClasses } from '../ui/merge-classes'

type AmountProps = {
  amount: number | string | null
  currency: string | null
  /** For columns: currency codes get a fixed width, so that digits align. */
  aligned?: boolean
  className?: string
}

/** An amount with its currency code, in the configured unit. */
export function Amount({ amount, currency, aligned, className }: AmountProps) {
  const { amounts, locale } = useAppConfig()
  const money = formatMoney(amount, currency, amounts, locale)
  return (
    <span className={className} data-amount={money.kind}>
      <span>{money.text}</span>
      {/* A real space: screen readers and copying ignore margins. */}
      {money.kind !== 'none' && money.currency ? '\u00A0' : null}
      {money.kind !== 'none' && money.currency ? (
        <span className={mergeClasses('ml-0.5 text-ink-soft', aligned && 'inline-block min-w-[2.25em] text-left')}>
          <UntrustedText>{money.currency}</UntrustedText>
        </span>
      ) : null}
      {money.note ? (
        <span className="ml-1.5 text-xs text-ink-soft">{money.kind === 'raw' ? money.note : ''}</span>
      ) : null}
      {money.kind === 'none' && money.note ? <span className="sr-only">{money.note}</span> : null}
    </span>
  )
}
