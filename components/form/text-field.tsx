'use client'

import { type ReactNode, useId } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { describeField, Field } from '../ui/field'
import { Input } from '../ui/input'
import { Textarea } from '../ui/textarea'
import { writeMessage } from './field-messages'

type TextFieldProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  /** The field's path in the body. */
  name: Path<Values>
  label: string
  hint?: ReactNode
  required?: boolean
  /** Several lines. */
  isLong?: boolean
  inputMode?: 'numeric' | 'text' | 'url'
  /** Typed unseen, and nothing that a password manager should keep. */
  isSecret?: boolean
}

/** One documented text field of a form, with what our check or the service said of it. */
export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { form, name, label, hint, required, isLong, inputMode, isSecret } = props
  const id = useId()
  const error = writeMessage(label, form.getFieldState(name, form.formState).error?.message)
  const control = {
    id,
    ...form.register(name),
    // The desk's forms are about other people than the one who types.
    autoComplete: isSecret ? 'new-password' : 'off',
    inputMode,
    'aria-required': required ? (true as const) : undefined,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': describeField(id, { hint, error }),
  }
  return (
    <Field id={id} label={label} hint={hint} error={error} required={required}>
      {isLong ? <Textarea {...control} rows={4} /> : <Input {...control} type={isSecret ? 'password' : 'text'} />}
    </Field>
  )
}
