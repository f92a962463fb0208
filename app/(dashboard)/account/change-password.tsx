'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef } from 'react'
import { focusFirstInvalid, readFormFields } from '@/components/forms/form-elements'
import { HydratedFieldset } from '@/components/forms/before-hydration'
import { showToast } from '@/components/feedback/toast-store'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { NewPasswordField, PasswordInput } from '@/components/sign-in/password-fields'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { callDesk, CallError, retryAfterStepUp } from '@/lib/client/api-client'
import { toProblemInfo } from '@/components/feedback/problem-display'
import * as m from '@/lib/messages/m'

type Typed = { current: string; password: string }

function isWrong(error: unknown): boolean {
  return error instanceof CallError && error.code === 'wrong-password'
}

/** Changes the user's password. Requires the current one; all other sessions end. */
export function ChangePassword({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null)
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (body: Typed) => retryAfterStepUp(() => callDesk('/password', { method: 'PUT', body })),
    onSuccess: async () => {
      form.current?.reset()
      showToast(m.account_passwordChanged(), m.account_yourOtherSignIns())
      await client.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
  const { error } = change
  useEffect(() => {
    if (error) focusFirstInvalid(form.current)
  }, [error])
  const message = change.error instanceof CallError ? change.error.problem?.errors?.password?.[0] : undefined
  const other = change.error && !message && !isWrong(change.error) ? change.error : null

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (change.isPending) return
    const { current = '', password = '' } = readFormFields(event.currentTarget)
    change.mutate({ current, password })
  }

  return (
    <section aria-labelledby="password-heading" className="rounded-lg border border-line bg-surface p-5 max-md:px-4">
      <h2 id="password-heading" className="font-semibold">
        {m.account_changeYourPassword()}
      </h2>
      <form ref={form} method="post" onSubmit={submit} className="mt-3 grid max-w-sm gap-4">
        <HydratedFieldset name={m.account_changeYourPassword()}>
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <Field
            id="current"
            label={m.account_currentPassword()}
            error={isWrong(change.error) ? m.account_passwordIsNotRight() : null}
          >
            <PasswordInput
              id="current"
              name="current"
              required
              aria-invalid={isWrong(change.error) ? true : undefined}
              aria-describedby={isWrong(change.error) ? 'current-error' : undefined}
            />
          </Field>
          <NewPasswordField message={message} />
          {other ? <ProblemNotice problem={toProblemInfo(other)} /> : null}
          <Button
            type="submit"
            tone="primary"
            className="justify-self-start"
            reason={change.isPending ? m.account_requestIsOnItsWay() : null}
          >
            {m.account_changePassword()}
          </Button>
        </HydratedFieldset>
      </form>
    </section>
  )
}
