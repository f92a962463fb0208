import { type ComponentProps, type SyntheticEvent, useState } from 'react'
import * as m from '@/lib/messages/m'
import { InputField } from './field'
import { Input } from './input'

/** Without a last day, browsers take years of six digits. */
const LAST_DAY = '9999-12-31'

/** Whether a field for a day holds what is no day: one that doesn't exist, isn't whole, or is beyond the last. */
export function isNoDay({ badInput, rangeUnderflow, rangeOverflow }: ValidityState): boolean {
  return badInput || rangeUnderflow || rangeOverflow
}

/** A native field for a day, without its label. */
export function DateInput(props: Omit<ComponentProps<typeof Input>, 'type' | 'max'>) {
  return <Input {...props} type="date" max={LAST_DAY} />
}

type DateFieldProps = Omit<ComponentProps<typeof InputField>, 'type' | 'max' | 'onBlur' | 'onInvalid'>

/**
 * A labelled day. What is typed but doesn't exist or isn't whole, such as 31 February, has no value, and browsers tell of
 * no change to it: the field says so once it is left, or once its form is asked whether it is valid.
 */
export function DateField({ error, onChange, ...field }: DateFieldProps) {
  const [isRefused, setRefused] = useState(false)
  const look = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => setRefused(isNoDay(currentTarget.validity))
  return (
    <InputField
      {...field}
      type="date"
      max={LAST_DAY}
      error={isRefused ? m.forms_dateDoesNotExist() : error}
      onChange={(event) => {
        // A date that is being changed may not exist on the way to the next one.
        if (!isNoDay(event.currentTarget.validity)) setRefused(false)
        onChange?.(event)
      }}
      onBlur={look}
      onInvalid={look}
    />
  )
}
