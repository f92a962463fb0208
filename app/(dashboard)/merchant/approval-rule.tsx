'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFieldArray, useForm, type UseFormReturn } from 'react-hook-form'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { showToast } from '@/components/feedback/toast-store'
import { LeaveGuard, waitForRemoval } from '@/components/forms/leave-guard'
import { useAppConfig } from '@/components/layout/app-config'
import { Button } from '@/components/ui/button'
import { describeField, InputField } from '@/components/ui/field'
import { Checkbox, Input } from '@/components/ui/input'
import { callDesk, CallError, retryAfterStepUp } from '@/lib/client/api-client'
import { type ApprovalRule, approvalRule } from '@/lib/domain/cancellations/approval'
import { describeRule } from '@/lib/domain/cancellations/describe-rule'
import { parseLocalAmount, toLocalAmount } from '@/lib/domain/amounts/local-amount'
import * as m from '@/lib/messages/m'

type TypedLimit = { currency: string; amount: string }
type Typed = { everyBulk: boolean; limits: TypedLimit[]; supportLimits: TypedLimit[]; hours: string }

function toTyped(rule: ApprovalRule | null, locale: string): Typed {
  const { everyBulk = false, limits = [], supportLimits = [], hours = 24 } = rule ?? {}
  const write = (given: readonly TypedLimit[]) =>
    given.map(({ currency, amount }) => ({ currency, amount: toLocalAmount(amount, locale) }))
  return { everyBulk, limits: write(limits), supportLimits: write(supportLimits), hours: String(hours) }
}

/** What was typed, as a rule; null where nothing needs a second person. */
function readRule({ everyBulk, limits, supportLimits, hours }: Typed, locale: string) {
  if (!everyBulk && limits.length + supportLimits.length === 0) return { success: true as const, data: null }
  const read = (typed: readonly TypedLimit[]) =>
    typed.map(({ currency, amount }) => ({ currency, amount: parseLocalAmount(amount, locale) ?? '' }))
  return approvalRule.safeParse({
    everyBulk,
    limits: read(limits),
    supportLimits: read(supportLimits),
    hours: /^\d{1,4}$/u.test(hours.trim()) ? Number(hours) : 0,
  })
}

type LimitFieldsProps = {
  name: 'limits' | 'supportLimits'
  form: UseFormReturn<Typed>
  legend: string
  hint: string
  addLabel: string
}

/** Amounts by currency. */
function LimitFields({ name, form: { control, register, formState }, legend, hint, addLabel }: LimitFieldsProps) {
  const id = useId()
  const { fields, append, remove } = useFieldArray({ control, name })
  const addButton = useRef<HTMLButtonElement>(null)
  const { errors } = formState
  return (
    <fieldset className="grid gap-2">
      <legend className="font-medium">{legend}</legend>
      <p className="text-[0.8125rem] text-ink-soft">{hint}</p>
      {fields.length > 0 ? (
        <p aria-hidden="true" className="flex gap-2 text-[0.8125rem] text-ink-soft">
          <span className="w-24">{m.approval_currency()}</span>
          <span className="w-44">{m.approval_above()}</span>
        </p>
      ) : null}
      {fields.map((field, row) => {
        const fault = errors[name]?.[row]
        const texts = [
          fault?.currency?.message && `${m.approval_currency()} ${fault.currency.message}.`,
          fault?.amount?.message && `${m.approval_above()} ${fault.amount.message}.`,
        ].filter(Boolean)
        const text = texts.join(' ') || null
        const faultId = `${id}-limit-${row}`
        return (
          <div key={field.id} className="grid gap-1">
            <div className="flex items-center gap-2">
              <Input
                {...register(`${name}.${row}.currency`)}
                className="w-24 uppercase"
                aria-label={m.approval_limitCurrency({ row: row + 1 })}
                maxLength={3}
                autoComplete="off"
                aria-invalid={fault?.currency ? true : undefined}
                aria-describedby={describeField(faultId, { error: text })}
              />
              <Input
                {...register(`${name}.${row}.amount`)}
                className="w-44 text-right tabular-nums"
                aria-label={m.approval_limitAmount({ row: row + 1 })}
                inputMode="decimal"
                autoComplete="off"
                aria-invalid={fault?.amount ? true : undefined}
                aria-describedby={describeField(faultId, { error: text })}
              />
              <Button
                size="small"
                aria-label={m.approval_removeLimit({ row: row + 1 })}
                onClick={() => {
                  // The pressed button disappears.
                  addButton.current?.focus()
                  remove(row)
                }}
              >
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
      {errors[name]?.root?.message ? (
        <p role="alert" className="text-[0.8125rem] font-medium text-negative">
          {legend} {errors[name].root.message}.
        </p>
      ) : null}
      <Button
        ref={addButton}
        size="small"
        className="justify-self-start"
        onClick={() => append({ currency: '', amount: '' })}
      >
        <Plus className="size-4" />
        {addLabel}
      </Button>
    </fieldset>
  )
}

type RuleFormProps = {
  rule: ApprovalRule | null
  onSaved: (rule: ApprovalRule | null) => void
  /** Somebody else has changed the rule. */
  onConflict: () => void
  onClose: () => void
}

/** The form of the rule: every bulk, amounts by currency, and how long a request waits. */
export function ApprovalRuleForm({ rule, onSaved, onConflict, onClose }: RuleFormProps) {
  const id = useId()
  const router = useRouter()
  const { locale } = useAppConfig()
  // The one that the form was filled from, whatever is rendered later.
  const [before] = useState(rule)
  const form = useForm<Typed>({ defaultValues: toTyped(before, locale) })
  const { register, handleSubmit, setError, setFocus, clearErrors, reset, formState } = form
  const [problem, setProblem] = useState<unknown>(null)
  const { errors, isSubmitting, isDirty } = formState
  // The button that opened the form is gone.
  useEffect(() => setFocus('everyBulk'), [setFocus])

  async function save(typed: Typed): Promise<void> {
    setProblem(null)
    const read = readRule(typed, locale)
    if (!read.success) {
      for (const [at, { path, message }] of read.error.issues.entries()) {
        const name = path.length === 1 && path[0] !== 'hours' ? `${String(path[0])}.root` : path.join('.')
        const text = path[0] === 'hours' ? m.approval_hoursRange() : message
        setError(name as 'hours', { message: text }, { shouldFocus: at === 0 })
      }
      return
    }
    try {
      const body = { before, rule: read.data }
      await retryAfterStepUp(() => callDesk<unknown>('/approval-rule', { method: 'PUT', body }))
      // What is saved is left without being asked.
      flushSync(() => reset(typed))
      await waitForRemoval()
      showToast(m.approval_saved())
      router.refresh()
      onSaved(read.data)
      onClose()
    } catch (thrown) {
      setProblem(thrown)
      // Shown once the form is closed.
      if (thrown instanceof CallError && thrown.code === 'conflict') {
        onConflict()
        router.refresh()
      }
    }
  }

  return (
    <form
      aria-label={m.approval_changeTitle()}
      noValidate
      className="mt-3 grid max-w-xl gap-4"
      onSubmit={(event) => {
        // Those of a whole list belong to no field, and would hold the next attempt back.
        clearErrors()
        void handleSubmit(save)(event)
      }}
    >
      {isDirty ? <LeaveGuard /> : null}
      <label htmlFor={`${id}-every`} className="inline-flex min-h-6 items-center gap-2.5">
        <Checkbox id={`${id}-every`} {...register('everyBulk')} />
        {m.approval_everyBulk()}
      </label>
      <LimitFields
        name="limits"
        form={form}
        legend={m.approval_limits()}
        hint={m.approval_limitsHint()}
        addLabel={m.approval_addLimit()}
      />
      <LimitFields
        name="supportLimits"
        form={form}
        legend={m.approval_supportLimits()}
        hint={m.approval_supportLimitsHint()}
        addLabel={m.approval_addSupportLimit()}
      />
      <InputField
        id={`${id}-hours`}
        label={m.approval_hours()}
        error={errors.hours?.message ?? null}
        {...register('hours')}
        className="w-24 text-right tabular-nums"
        inputMode="numeric"
        autoComplete="off"
      />
      {problem === null ? null : <ProblemNotice problem={toProblemInfo(problem)} reloads />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" reason={isSubmitting ? m.forms_requestIsOnItsWay() : null}>
          {m.approval_save()}
        </Button>
        <Button onClick={onClose}>{m.approval_keep()}</Button>
      </div>
    </form>
  )
}

type ApprovalRuleSectionProps = {
  /** A new object each time the server renders the page. */
  rule: { value: ApprovalRule | null }
  mayChange: boolean
}

/** When a second person approves the merchant's cancellations; an admin changes it. */
export function ApprovalRuleSection({ rule, mayChange }: ApprovalRuleSectionProps) {
  const { locale } = useAppConfig()
  const [isChanging, setChanging] = useState(false)
  // What was saved here holds until the server renders the page again.
  const [saved, setSaved] = useState<{ rule: ApprovalRule | null } | null>(null)
  const [rendered, setRendered] = useState(rule)
  if (rendered !== rule) {
    setRendered(rule)
    setSaved(null)
  }
  const shown = saved ? saved.rule : rule.value
  const opener = useRef<HTMLButtonElement>(null)

  function closeForm(): void {
    setChanging(false)
    // The focused form disappears and its button comes back.
    requestAnimationFrame(() => opener.current?.focus())
  }

  return (
    <section aria-labelledby="approval-rule" className="rounded-lg border border-line bg-surface p-5 max-md:p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="approval-rule" className="font-semibold">
          {m.approval_title()}
        </h2>
        {mayChange && !isChanging ? (
          <Button ref={opener} size="small" aria-label={m.approval_changeTitle()} onClick={() => setChanging(true)}>
            {m.approval_change()}
          </Button>
        ) : null}
      </div>
      <p className="mt-1 text-ink-soft">{m.approval_about()}</p>
      {isChanging ? (
        <ApprovalRuleForm
          rule={shown}
          onSaved={(next) => setSaved({ rule: next })}
          onConflict={() => setSaved(null)}
          onClose={closeForm}
        />
      ) : (
        <ul className="mt-2 grid gap-0.5" data-approval-rule={shown === null ? 'off' : 'on'}>
          {describeRule(shown, locale).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
