'use client'

import { formatMoney, isLongMoney } from '@/lib/domain/amounts/money'
import { useAppConfig } from '../layout/app-config'
import { UntrustedText } from '../ui/untrusted-text'
import { mergeClasses } from '../ui/merge-classes'

type AmountProps = {
  amount: number | string | null
  currency: string | null
  /** For columns: currency codes get a fixed width, so that digits align, and long amounts become small. */
  aligned?: boolean
  /** Whether the line may break before the currency. */
  breaks?: boolean
  className?: string
}

/** An amount with its currency code, in the configured unit. */
export function Amount({ amount, currency, aligned = false, breaks = false, className }: AmountProps) {
  const { amounts, locale } = useAppConfig()
  const money = formatMoney(amount, currency, amounts, locale)
  const isLong = isLongMoney(money)
  const isSmall = aligned && (isLong || money.kind === 'raw')
  const space = breaks || isSmall ? ' ' : '\u00A0'
  return (
    <span
      className={mergeClasses(className, isSmall && 'dt-long-amount') || undefined}
      data-amount={money.kind}
      data-long={isLong ? '' : undefined}
    >
      <span>{money.text}</span>
      {/* A real space: screen readers and copying ignore margins. */}
      {money.kind !== 'none' && money.currency ? space : null}
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
