'use client'

import { type FormEvent, useId, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { showToast } from '@/components/feedback/toast-store'
import { HydratedFieldset } from '@/components/forms/before-hydration'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/input'
import { type Role, roles } from '@/lib/api-contract/permission'
import { roleNames } from '@/lib/domain/roles'
import { useTeamChange } from './use-team'
import * as m from '@/lib/messages/m'

/** Which roles need a second factor at this merchant. */
export function FactorRule({ required }: { required: readonly Role[] }) {
  const id = useId()
  const change = useTeamChange<unknown>()
  // What is ticked and not saved yet, beside what was shown until then.
  const [typed, setTyped] = useState<{ before: readonly Role[]; roles: readonly Role[] } | null>(null)
  const { before, roles: ticked } = typed ?? { before: required, roles: required }

  function tick(role: Role, checked: boolean): void {
    const next = roles.filter((one) => (one === role ? checked : ticked.includes(one)))
    const isAsBefore = roles.every((one) => next.includes(one) === before.includes(one))
    setTyped(isAsBefore ? null : { before, roles: next })
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (change.isPending) return
    change.mutate(
      { path: '/factor-rule', method: 'PUT', body: { before, roles: ticked } },
      {
        onSuccess: () => {
          setTyped(null)
          showToast(m.secondFactor_ruleSaved(), '', { isBrief: true })
        },
      },
    )
  }

  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-surface p-5 max-md:px-4">
      <h2 id={id} className="font-semibold">
        {m.secondFactor_ruleTitle()}
      </h2>
      <p className="mt-0.5 text-ink-soft">{m.secondFactor_ruleAbout()}</p>
      <form method="post" onSubmit={submit} className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-3">
        <HydratedFieldset name={m.secondFactor_ruleTitle()}>
          {roles.map((role) => (
            <label key={role} htmlFor={`${id}-${role}`} className="inline-flex min-h-6 items-center gap-2.5">
              <Checkbox
                id={`${id}-${role}`}
                name="role"
                value={role}
                checked={ticked.includes(role)}
                onChange={({ target: { checked } }) => tick(role, checked)}
              />
              {roleNames[role].name()}
            </label>
          ))}
          <Button type="submit" reason={change.isPending ? m.team_requestIsOnItsWay() : null}>
            {m.secondFactor_ruleSave()}
          </Button>
        </HydratedFieldset>
      </form>
      {change.error ? (
        <div className="mt-3">
          <ProblemNotice problem={toProblemInfo(change.error)} reloads />
        </div>
      ) : null}
    </section>
  )
}
