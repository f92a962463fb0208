import type { ComponentProps, ReactNode } from 'react'
import * as m from '@/lib/messages/m'
import { Input } from './input'

type FieldProps = {
  /** The control's id; messages get `${id}-hint` and `${id}-error`. */
  id: string
  label: string
  hint?: ReactNode
  error?: string | null
  required?: boolean
  children: ReactNode
}

/** The `aria-describedby` of a control inside a Field; undefined if there is no message. */
export function describeField(
  id: string,
  { hint, error }: { hint?: unknown; error?: string | null },
): string | undefined {
  const ids = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean)
  return ids.length ? ids.join(' ') : undefined
}

/** A labelled control with hint and error. */
export function Field({ id, label, hint, error, required, children }: FieldProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline gap-1.5 text-sm">
        <label htmlFor={id} className="font-medium text-ink">
          {label}
        </label>
        {required ? (
          <span aria-hidden="true" className="text-ink-faint">
            {m.forms_required()}
          </span>
        ) : null}
      </div>
      {children}
      {hint ? (
        <div id={`${id}-hint`} className="text-[0.8125rem] text-ink-soft">
          {hint}
        </div>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="text-[0.8125rem] font-medium text-negative">
          {error}
        </p>
      ) : null}
    </div>
  )
}

type InputFieldProps = ComponentProps<'input'> & Pick<FieldProps, 'id' | 'label' | 'hint' | 'error'>

/** A labelled single-line text input with hint and error. */
export function InputField({ id, label, hint, error, ...input }: InputFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <Input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describeField(id, { hint, error })}
        {...input}
      />
    </Field>
  )
}
