'use client'

import { type FormEvent, useId, useRef, useState } from 'react'
import { PasswordInput } from '../sign-in/password-input'
import { Button } from '../ui/button'
import { Field } from '../ui/field'
import { Input } from '../ui/input'
import { TopDialog, TopDialogButtons } from '../ui/top-dialog'
import * as words from '@/lib/words/signing-in-again'

type PasswordQuestionProps = {
  title: string
  words: string
  /** Whose password: nobody else's is taken. */
  email: string
  action: string
  leave: string
  /** Tries it; null when it was right, else why not, in words. */
  answer: (password: string) => Promise<string | null>
  onLeave: () => void
}

/** Asks for the password of the person whose page this is. */
export function PasswordQuestion({
  title,
  words: about,
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
    <TopDialog title={title} words={about} onLeave={onLeave} initialFocus={field}>
      <form method="post" onSubmit={(event) => void submit(event)}>
        <div className="grid gap-4 px-6 pt-4 max-md:px-4">
          <Field id={`${id}-email`} label={words.email}>
            <Input id={`${id}-email`} type="email" value={email} readOnly autoComplete="username" tabIndex={-1} />
          </Field>
          <Field id={id} label={words.password} error={error}>
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
