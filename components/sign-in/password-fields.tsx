'use client'

import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { describeField, Field } from '../ui/field'
import { Input } from '../ui/input'
import * as m from '@/lib/messages/m'

/** A password input that can be revealed; for the current password unless `autoComplete` says otherwise. */
export function PasswordInput(props: ComponentProps<'input'>) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <Input
        autoComplete="current-password"
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="w-full pr-16"
      />
      <button
        type="button"
        aria-controls={props.id}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0.5 right-0.5 max-md:inset-y-0 rounded-md px-3 text-[0.8125rem] font-medium text-ink-soft hover:bg-sunken hover:text-ink"
      >
        {shown ? m.signingIn_hide() : m.signingIn_show()}
      </button>
    </div>
  )
}

/** A new password. `message` is the server's reason for rejecting it, as "must have …". */
export function NewPasswordField({ message }: { message: string | undefined }) {
  const error = message === undefined ? null : m.signingIn_passwordLabel({ message })
  const hint = m.signingIn_atLeastCharactersAny()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (message !== undefined) field.current?.focus()
  }, [message])
  return (
    <Field id="password" label={m.signingIn_newPassword()} hint={hint} error={error}>
      <PasswordInput
        id="password"
        ref={field}
        name="password"
        autoComplete="new-password"
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={describeField('password', { hint, error })}
      />
    </Field>
  )
}
