'use client'

import { describeField, Field } from '../ui/field'
import { Input } from '../ui/input'

type DayInputProps = {
  id: string
  label: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** One end of a range of days. */
export function DayInput({ id, label, value, error = '', onChange }: DayInputProps) {
  return (
    <Field id={id} label={label} error={error}>
      <Input
        id={id}
        type="date"
        value={value}
        aria-invalid={error !== ''}
        aria-describedby={describeField(id, { error })}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
