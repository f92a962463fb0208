'use client'

import { useId } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'

type ChoiceFieldProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  name: Path<Values>
  label: string
  /** By value, in words. */
  choices: Readonly<Record<string, string>>
}

/** One of a few, in a form. */
export function ChoiceField<Values extends FieldValues>({ form, name, label, choices }: ChoiceFieldProps<Values>) {
  const id = useId()
  return (
    <Field id={id} label={label}>
      <Select id={id} {...form.register(name)}>
        {Object.entries(choices).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
    </Field>
  )
}
