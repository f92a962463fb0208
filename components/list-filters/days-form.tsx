'use client'

import { useId, useState } from 'react'
import * as m from '@/lib/messages/m'
import { useAppConfig } from '../layout/app-config'
import { DateField } from '../ui/date-field'
import { Field } from '../ui/field'
import { Radio, Select } from '../ui/input'
import { type FormProps, Option, PanelForm, type PanelProps } from './filter-form'
import { dayPresets } from '@/lib/domain/lists/day-presets'
import { isFilterValue, readRange, type TableFilter } from '@/lib/domain/lists/filter-values'

const CUSTOM = 'custom'

/** A preset or a range of days, of one of the list's dates, in place of the `current` one. */
export function DaysForm({
  filter,
  current,
  others,
  values,
  change,
  onClose,
}: FormProps<'days'> & Pick<PanelProps, 'current'> & { others: readonly TableFilter[] }) {
  const id = useId()
  const { schemeZone } = useAppConfig()
  const value = values[filter.id] ?? ''
  const [field, setField] = useState(filter.id)
  const known = dayPresets.some((preset) => preset.id === value)
  const [choice, setChoice] = useState(value === '' ? 'today' : known ? value : CUSTOM)
  const [first = '', second] = known || !isFilterValue(filter, value) ? [] : value.split('..')
  const [from, setFrom] = useState(first)
  const [to, setTo] = useState(second ?? first)
  const [errors, setErrors] = useState<ReturnType<typeof readRange>['errors']>(null)

  function apply(): void {
    const range = choice === CUSTOM ? readRange({ from, to }) : { value: choice, errors: null }
    setErrors(range.errors)
    if (range.errors) return
    change({ ...(current && { [current.id]: '' }), [field]: range.value }, 'push')
    onClose()
  }

  return (
    <PanelForm onSubmit={apply}>
      {others.length > 1 ? (
        <Field id={`${id}-field`} label={m.filters_whichDate()}>
          <Select id={`${id}-field`} value={field} onChange={(event) => setField(event.target.value)}>
            {others.map((one) => (
              <option key={one.id} value={one.id}>
                {one.label()}
              </option>
            ))}
          </Select>
        </Field>
      ) : null}
      <fieldset className="-mx-2 grid">
        <legend className="sr-only">{m.filters_whichDate()}</legend>
        {[
          ...dayPresets.map((preset) => ({ id: preset.id, label: preset.label() })),
          { id: CUSTOM, label: m.filters_customRange() },
        ].map((one) => (
          <Option key={one.id}>
            <Radio name={`${id}-days`} checked={choice === one.id} onChange={() => setChoice(one.id)} />
            {one.label}
          </Option>
        ))}
      </fieldset>
      {choice === CUSTOM ? (
        <div className="grid grid-cols-2 gap-3">
          <DateField
            id={`${id}-from`}
            label={m.filters_from()}
            error={errors?.from}
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
          <DateField
            id={`${id}-to`}
            label={m.filters_to()}
            error={errors?.to}
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
        </div>
      ) : null}
      <p className="text-[0.8125rem] text-ink-soft">{m.filters_businessZone({ zone: schemeZone })}</p>
    </PanelForm>
  )
}
