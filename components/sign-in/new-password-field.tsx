'use client'

import { describeField, Field } from '../ui/field'
import { PasswordInput } from './password-input'

/** A password that is being chosen. `message` is the desk's word on why it cannot be this one, as "must have …". */
export function NewPasswordField({ message }: { message: string | undefined }) {
  const error = message === undefined ? null : `The password ${message}.`
  const hint = 'At least 8 characters, any of them. Longer is better than odd.'
  return (
    <Field id="password" label="New password" hint={hint} error={error}>
      <PasswordInput
        id="password"
        name="password"
        autoComplete="new-password"
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={describeField('password', { hint, error })}
      />
    </Field>
  )
}
