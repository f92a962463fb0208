'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import { useFieldArray, useForm } from 'react-hook-form'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { showToast } from '@/components/feedback/toast-store'
import { useAppConfig } from '@/components/layout/app-config'
import { Button } from '@/components/ui/button'
import { describeField, Field } from '@/components/ui/field'
import { Checkbox, Input } from '@/components/ui/input'
import { callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import { type ApprovalRule, approvalRule } from '@/lib/domain/cancellations/approval'
import { parseLocalAmount } from '@/lib/domain/local-amount'
import { formatMoneyLine } from '@/lib/domain/money'
import { joinList } from '@/lib/language/join-list'
import * as m from '@/lib/messages/m'

type Typed = { everyBulk: boolean; limits: { currency: string; amount: string }[]; hours: string }

function toTyped(rule: ApprovalRule | null): Typed {
  const { everyBulk = false, limits = [], hours = 24 } = rule ?? {}
  return { everyBulk, limits: limits.map((limit) => ({ ...limit })), hours: String(hours) }
}

/** What was typed, as a rule; null where nothing needs a second person. */
function readRule({ everyBulk, limits, hours }: Typed, locale: string) {
  if (!everyBulk && limits.length === 0) return { success: true as const, data: null }
  return approvalRule.safeParse({
    everyBulk,
    limits: limits.map(({ currency, amount }) => ({ currency, amount: parseLocalAmount(amount, locale) ?? '' })),
    hours: /^\d{1,4}$/u.test(hours.trim()) ? Number(hours) : 0,
  })
}

/** The form of the rule: every bulk, amounts by currency, and how long a request waits. */
export function ApprovalRuleForm({ rule, onClose }: { rule: ApprovalRule | null; onClose: () => void }) {
  const id = useId()
  const router = useRouter()
  const { locale } = useAppConfig()
  const { register, control, handleSubmit, setError, formState } = useForm<Typed>({ defaultValues: toTyped(rule) })
  const { fields, append, remove } = useFieldArray({ control, name: 'limits' })
  const [problem, setProblem] = useState<unknown>(null)
  const { errors, isSubmitting } = formState

  async function save(typed: Typed): Promise<void> {
    setProblem(null)
    const read = readRule(typed, locale)
    if (!read.success) {
      for (const [at, { path, message }] of read.error.issues.entries()) {
        const name = path.length === 1 && path[0] === 'limits' ? 'limits.root' : path.join('.')
        const text = path[0] === 'hours' ? m.approval_hoursRange() : message
        setError(name as 'hours', { message: text }, { shouldFocus: at === 0 })
      }
      return
    }
    try {
      const body = { rule: read.data }
      await retryAfterStepUp(() => callDesk<unknown>('/approval-rule', { method: 'PUT', body }))
      showToast(m.approval_saved())
      router.refresh()
      onClose()
    } catch (thrown) {
      setProblem(thrown)
    }
  }

  return (
    <form
      aria-label={m.approval_changeTitle()}
      noValidate
      className="mt-3 grid max-w-xl gap-4"
      onSubmit={(event) => void handleSubmit(save)(event)}
    >
      <label htmlFor={`${id}-every`} className="inline-flex min-h-6 items-center gap-2.5">
        <Checkbox id={`${id}-every`} {...register('everyBulk')} />
        {m.approval_everyBulk()}
      </label>
      <fieldset className="grid gap-2">
        <legend className="font-medium">{m.approval_limits()}</legend>
        <p className="text-[0.8125rem] text-ink-soft">{m.approval_limitsHint()}</p>
        {fields.length > 0 ? (
          <p aria-hidden="true" className="flex gap-2 text-[0.8125rem] text-ink-soft">
            <span className="w-24">{m.approval_currency()}</span>
            <span className="w-44">{m.approval_above()}</span>
          </p>
        ) : null}
        {fields.map((field, row) => {
          const fault = errors.limits?.[row]
          const texts = [
            fault?.currency?.message && `${m.approval_currency()} ${fault.currency.message}`,
            fault?.amount?.message && `${m.approval_above()} ${fault.amount.message}`,
          ].filter(Boolean)
          const text = texts.join('. ') || null
          const faultId = `${id}-limit-${row}`
          return (
            <div key={field.id} className="grid gap-1">
              <div className="flex items-center gap-2">
                <Input
                  {...register(`limits.${row}.currency`)}
                  className="w-24 uppercase"
                  aria-label={m.approval_limitCurrency({ row: row + 1 })}
                  maxLength={3}
                  autoComplete="off"
                  aria-invalid={fault?.currency ? true : undefined}
                  aria-describedby={describeField(faultId, { error: text })}
                />
                <Input
                  {...register(`limits.${row}.amount`)}
                  className="w-44 text-right tabular-nums"
                  aria-label={m.approval_limitAmount({ row: row + 1 })}
                  inputMode="decimal"
                  autoComplete="off"
                  aria-invalid={fault?.amount ? true : undefined}
                  aria-describedby={describeField(faultId, { error: text })}
                />
                <Button size="small" aria-label={m.approval_removeLimit({ row: row + 1 })} onClick={() => remove(row)}>
                  <Trash2 className="size-4" />
                </Button>
              </div>
              {text ? (
                <p id={`${faultId}-error`} className="text-[0.8125rem] font-medium text-negative">
                  {text}
                </p>
              ) : null}
            </div>
          )
        })}
        {errors.limits?.root?.message ? (
          <p role="alert" className="text-[0.8125rem] font-medium text-negative">
            {m.approval_limits()} {errors.limits.root.message}
          </p>
        ) : null}
        <Button size="small" className="justify-self-start" onClick={() => append({ currency: '', amount: '' })}>
          <Plus className="size-4" />
          {m.approval_addLimit()}
        </Button>
      </fieldset>
      <Field id={`${id}-hours`} label={m.approval_hours()} error={errors.hours?.message ?? null}>
        <Input
          id={`${id}-hours`}
          {...register('hours')}
          className="w-24 text-right tabular-nums"
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={errors.hours ? true : undefined}
          aria-describedby={describeField(`${id}-hours`, { error: errors.hours?.message ?? null })}
        />
      </Field>
      {problem === null ? null : <ProblemNotice problem={toProblemInfo(problem)} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" reason={isSubmitting ? m.forms_requestIsOnItsWay() : null}>
          {m.approval_save()}
        </Button>
        <Button onClick={onClose}>{m.approval_keep()}</Button>
      </div>
    </form>
  )
}

function describeRule(rule: ApprovalRule | null, locale: string): string[] {
  if (rule === null) return [m.approval_off()]
  const limits = rule.limits.map(({ currency, amount }) => formatMoneyLine(amount, currency, 'major', locale))
  return [
    ...(rule.everyBulk ? [m.approval_onEveryBulk()] : []),
    ...(limits.length > 0 ? [m.approval_onLimits({ limits: joinList(limits, 'disjunction') })] : []),
    m.approval_onHours({ hours: rule.hours }),
  ]
}

/** When a second person approves the merchant's cancellations; an admin changes it. */
export function ApprovalRuleSection({ rule, mayChange }: { rule: ApprovalRule | null; mayChange: boolean }) {
  const { locale } = useAppConfig()
  const [isChanging, setChanging] = useState(false)
  return (
    <section aria-labelledby="approval-rule" className="rounded-lg border border-line bg-surface p-5 max-md:p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="approval-rule" className="font-semibold">
          {m.approval_title()}
        </h2>
        {mayChange && !isChanging ? (
          <Button size="small" aria-label={m.approval_changeTitle()} onClick={() => setChanging(true)}>
            {m.approval_change()}
          </Button>
        ) : null}
      </div>
      <p className="mt-1 text-ink-soft">{m.approval_about()}</p>
      {isChanging ? (
        <ApprovalRuleForm rule={rule} onClose={() => setChanging(false)} />
      ) : (
        <ul className="mt-2 grid gap-0.5" data-approval-rule={rule === null ? 'off' : 'on'}>
          {describeRule(rule, locale).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
