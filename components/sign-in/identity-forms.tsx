'use client'

import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { ProviderLink } from '../feedback/problem-display'
import { Button } from '../ui/button'
import { Field } from '../ui/field'
import { Input } from '../ui/input'
import { PasswordInput } from './password-fields'
import { TopDialog, TopDialogButtons } from './top-dialog'
import * as m from '@/lib/messages/m'

type ProviderQuestionProps = {
  title: string
  description: string
  /** Checks whether the sign-in happened; null if so, else what is missing. */
  answer: () => Promise<string | null>
  onLeave: () => void
}

/** Asks a user of an OpenID provider to sign in there again, in another tab, so that this page stays as it is. */
export function ProviderQuestion({ title, description: about, answer, onLeave }: ProviderQuestionProps) {
  const [error, setError] = useState<string | null>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const check = useEffectEvent(() => void answer())

  // Check when the user comes back from the other tab.
  useEffect(() => {
    const onVisibilityChange = () => document.visibilityState === 'visible' && check()
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => document.removeEventListener('visibilitychange', onVisibilityChange)
  }, [])

  return (
    <TopDialog title={title} description={about} onLeave={onLeave} initialFocus={link}>
      <div className="grid gap-3 px-6 pt-4 max-md:px-4">
        <ProviderLink ref={link}>{m.signingInAgain_signInInAnotherTab()}</ProviderLink>
        <p role="alert" className="text-[0.8125rem] font-medium text-negative empty:hidden">
          {error}
        </p>
      </div>
      <TopDialogButtons>
        <Button onClick={onLeave}>{m.signingInAgain_notNow()}</Button>
        <Button onClick={() => void answer().then(setError)}>{m.signingInAgain_goOn()}</Button>
      </TopDialogButtons>
    </TopDialog>
  )
}

type PasswordQuestionProps = {
  title: string
  description: string
  /** The account whose password is required. */
  email: string
  action: string
  leave: string
  /** Verifies the password; null if correct, else an error message. */
  answer: (password: string) => Promise<string | null>
  onLeave: () => void
}

/** Asks for the password of the page's user. */
export function PasswordQuestion({
  title,
  description: about,
  email,
  action,
  leave,
  answer,
  onLeave,
}: PasswordQuestionProps) {
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const reason = await answer(field.current?.value ?? '')
    setBusy(false)
    setError(reason)
    if (reason === null) return
    field.current?.focus()
    field.current?.select()
  }

  return (
    <TopDialog title={title} description={about} onLeave={onLeave} initialFocus={field}>
      <form method="post" onSubmit={(event) => void submit(event)}>
        <div className="grid gap-4 px-6 pt-4 max-md:px-4">
          <Field id={`${id}-email`} label={m.signingInAgain_email()}>
            <Input id={`${id}-email`} type="email" value={email} readOnly autoComplete="username" tabIndex={-1} />
          </Field>
          <Field id={id} label={m.signingInAgain_password()} error={error}>
            <PasswordInput
              id={id}
              ref={field}
              required
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? `${id}-error` : undefined}
            />
          </Field>
          <p role="alert" className="sr-only">
            {error}
          </p>
        </div>
        <TopDialogButtons>
          <Button onClick={onLeave}>{leave}</Button>
          <Button type="submit" tone="primary" aria-busy={busy || undefined}>
            {action}
          </Button>
        </TopDialogButtons>
      </form>
    </TopDialog>
  )
}
