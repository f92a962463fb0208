'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { findCachedValues } from '@/lib/client/list-queries'
import { countDecimals, parseLocalAmount, toLocalAmount } from '@/lib/domain/amounts/local-amount'
import { currencyExponents } from '@/lib/domain/amounts/money'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import * as m from '@/lib/messages/m'
import { useAppConfig } from '../layout/app-config'
import { describeField, Field, InputField } from '../ui/field'
import { Input, Select } from '../ui/input'
import { type FormProps, PanelForm } from './filter-form'
import { chosenCurrency, joinChoices, joinRange, splitChoices } from '@/lib/domain/lists/filter-values'

const conditions = ['between', 'atLeast', 'atMost', 'exactly'] as const
type Condition = (typeof conditions)[number]

const conditionNames: Record<Condition, () => string> = {
  between: m.filters_conditionBetween,
  atLeast: m.filters_conditionAtLeast,
  atMost: m.filters_conditionAtMost,
  exactly: m.filters_conditionExactly,
}

function readCondition(value: string): Condition {
  const [from = '', to] = value.split('..')
  if (value === '') return 'atLeast'
  if (to === undefined) return 'exactly'
  return from === '' ? 'atMost' : to === '' ? 'atLeast' : 'between'
}

/** Why a typed amount cannot be used in a currency; null when it can. */
function explainAmount(text: string, currency: string, decimals: number, locale: string): string | null {
  if (text.trim() === '') return m.filters_amountIsMissing()
  const plain = parseLocalAmount(text, locale)
  if (plain === null) {
    const example = new Intl.NumberFormat(locale, {
      minimumFractionDigits: Math.min(decimals, currencyExponents.get(currency) ?? 2),
    }).format(1_250)
    return m.filters_amountIsWrong({ example })
  }
  const digits = plain.split('.')[1]?.length ?? 0
  if (digits <= decimals) return null
  return decimals === currencyExponents.get(currency)
    ? m.filters_amountHasTooManyDecimals({ currency, count: decimals })
    : m.filters_amountIsTooExact({ count: decimals })
}

/** A range of amounts in one currency. */
export function AmountForm({ filter, values, findSeen, change, onClose }: FormProps<'amount'>) {
  const id = useId()
  const { locale, amounts } = useAppConfig()
  const value = values[filter.id] ?? ''
  const client = useQueryClient()
  // Where no row matches, those of the lists before it.
  const [met] = useState(() => findCachedValues(client, 'currency'))
  const currencies = [...new Set([...splitChoices(values.currency ?? ''), ...findSeen('currency'), ...met])]
  const comparable = currencies.find((one) => countDecimals(one, amounts) !== undefined)
  const [currency, setCurrency] = useState(chosenCurrency(values) ?? comparable ?? currencies[0] ?? '')
  const [condition, setCondition] = useState(readCondition(value))
  const [start = '', end] = value.split('..')
  const [from, setFrom] = useState(toLocalAmount(start, locale))
  const [to, setTo] = useState(toLocalAmount(end ?? start, locale))
  const [errors, setErrors] = useState<{ currency?: string | null; from?: string | null; to?: string | null }>({})
  const needsFrom = condition !== 'atMost'
  const needsTo = condition === 'atMost' || condition === 'between'

  function apply(): void {
    const decimals = countDecimals(currency, amounts)
    const found = {
      currency:
        currencies.length === 0 && !currencyExponents.has(currency)
          ? m.filters_currencyIsWrong()
          : decimals === undefined
            ? m.filters_amountsAreNotComparable({ currency: escapeInvisible(currency) })
            : null,
      from: needsFrom ? explainAmount(from, currency, decimals ?? 4, locale) : null,
      to: needsTo ? explainAmount(to, currency, decimals ?? 4, locale) : null,
    }
    const [low, high] = [parseLocalAmount(from, locale), parseLocalAmount(to, locale)]
    if (!found.from && !found.to && condition === 'between' && Number(low) > Number(high))
      found.to = m.filters_amountsAreReversed()
    setErrors(found)
    if (found.currency || found.from || found.to) return
    const range =
      condition === 'exactly' ? { from: low, to: low } : { from: needsFrom ? low : null, to: needsTo ? high : null }
    change({ currency: joinChoices([currency]), [filter.id]: joinRange(range) }, 'push')
    onClose()
  }

  const currencyHint = splitChoices(values.currency ?? '').length > 1 ? m.filters_amountInOneCurrency() : undefined
  const currencyField = {
    id: `${id}-currency`,
    value: currency,
    'aria-invalid': Boolean(errors.currency),
    'aria-describedby': describeField(`${id}-currency`, { hint: currencyHint, error: errors.currency }),
  }
  return (
    <PanelForm onSubmit={apply}>
      <div className="grid grid-cols-2 gap-3">
        <Field id={`${id}-condition`} label={m.filters_condition()}>
          <Select
            id={`${id}-condition`}
            value={condition}
            onChange={(event) => setCondition(conditions.find((one) => one === event.target.value) ?? 'between')}
          >
            {conditions.map((one) => (
              <option key={one} value={one}>
                {conditionNames[one]()}
              </option>
            ))}
          </Select>
        </Field>
        <Field id={`${id}-currency`} label={m.filters_currency()} hint={currencyHint} error={errors.currency ?? null}>
          {currencies.length > 0 ? (
            <Select {...currencyField} onChange={(event) => setCurrency(event.target.value)}>
              {currencies.map((one) => (
                <option key={one} value={one}>
                  {escapeInvisible(one)}
                </option>
              ))}
            </Select>
          ) : (
            <Input
              {...currencyField}
              maxLength={3}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              onChange={(event) => setCurrency(event.target.value.toUpperCase())}
            />
          )}
        </Field>
      </div>
      {needsFrom ? (
        <InputField
          id={`${id}-from-amount`}
          label={condition === 'between' ? m.filters_amountFrom() : m.filters_amountField()}
          error={errors.from}
          inputMode="decimal"
          autoComplete="off"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
      ) : null}
      {needsTo ? (
        <InputField
          id={`${id}-to-amount`}
          label={condition === 'between' ? m.filters_amountTo() : m.filters_amountField()}
          error={errors.to}
          inputMode="decimal"
          autoComplete="off"
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
      ) : null}
    </PanelForm>
  )
}
