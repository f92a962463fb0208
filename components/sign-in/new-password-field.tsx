'use client'

import { useEffect, useRef } from 'react'
import { describeField, Field } from '../ui/field'
import { PasswordInput } from './password-input'
import * as words from '@/lib/words/signing-in'

/** A password that is being chosen. `message` is the desk's word on why it cannot be this one, as "must have …". */
export function NewPasswordField({ message }: { message: string | undefined }) {
  const error = message === undefined ? null : words.passwordLabel(message)
  const hint = words.atLeastCharactersAny
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (message !== undefined) field.current?.focus()
  }, [message])
  return (
    <Field id="password" label={words.newPassword} hint={hint} error={error}>
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
