'use client'

import { X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { SearchField } from '@/components/forms/search-field'
import { useAppConfig } from '@/components/layout/app-config'
import { HydratedFieldset } from '@/components/forms/before-hydration'
import { focusFirstFilter } from '@/components/forms/form-elements'
import { Button } from '@/components/ui/button'
import { DateInput, isNoDay } from '@/components/ui/date-field'
import { describeField } from '@/components/ui/field'
import { Select } from '@/components/ui/input'
import { type ActivityFilters, activityKinds, activityOutcomes, privateKinds } from '@/lib/domain/activity/activity'
import { actionLabels, activityOutcomeLabels, nameKind } from '@/lib/domain/activity/describe-activity'
import { isDay } from '@/lib/domain/dates/date'
import { escapeInvisible, truncate } from '@/lib/domain/text/visible-text'
import { getLanguage, usualLocale } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

type Options = readonly (readonly [value: string, label: string])[]

type ChoiceProps = {
  id: string
  label: string
  value: string | undefined
  options: Options
  groups?: readonly (readonly [label: string, options: Options])[]
  onChoose: (value: string) => void
}

const listOptions = (options: Options) =>
  options.map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ))

function Choice({ id, label, value = '', options, groups = [], onChoose }: ChoiceProps) {
  const known = [...options, ...groups.flatMap(([, grouped]) => grouped)]
  return (
    <div className="flex shrink-0 items-center gap-2">
      <label htmlFor={id} className="text-ink-soft">
        {label}
      </label>
      <Select id={id} className="max-w-44" value={value} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{m.activity_all()}</option>
        {listOptions(options)}
        {groups.map(([name, grouped]) => (
          <optgroup key={name} label={name}>
            {listOptions(grouped)}
          </optgroup>
        ))}
        {/* An unknown value from the URL is offered too. */}
        {value === '' || known.some(([one]) => one === value) ? null : <option value={value}>{value}</option>}
      </Select>
    </div>
  )
}

/** The actions by what they are about, both in the order of the alphabet. */
function groupActions() {
  const inOrder = (one: string, other: string) => one.localeCompare(other, usualLocale(getLanguage()))
  const actions = Object.entries(actionLabels).map(([action, label]) => [action, label()] as const)
  const kindOf = (action: string) => action.split('.')[0] ?? ''
  return [...new Set(actions.map(([action]) => kindOf(action)))]
    .map((kind) => {
      const own = actions.filter(([action]) => kindOf(action) === kind)
      return [nameKind(kind), own.toSorted(([, one], [, other]) => inOrder(one, other))] as const
    })
    .toSorted(([one], [other]) => inOrder(one, other))
}

type DayProps = {
  id: string
  label: string
  title: string
  value: string | undefined
  error: string | null
  onChoose: (value: string) => void
}

/** In characters, of a value that means nothing. */
const MAX_SHOWN = 40

/** While a year is typed, its first digits are a year too. */
const FIRST_DAY = '1000-01-01'

function Day({ id, label, title, value = '', error, onChoose }: DayProps) {
  const field = useRef<HTMLInputElement>(null)
  const day = isDay(value) ? value : ''
  const [typed, setTyped] = useState({ of: value, day, isRefused: false })
  if (typed.of !== value) setTyped({ of: value, day, isRefused: false })
  // What was typed and is no date has no value that could be replaced by none.
  useEffect(() => {
    if (value === '' && field.current?.validity.badInput) field.current.value = ''
  }, [value])
  function type({ value: next, validity }: HTMLInputElement): void {
    setTyped({ of: value, day: next, isRefused: typed.isRefused && isNoDay(validity) })
    if (isNoDay(validity) || next === value) return
    if (next === '' || next >= FIRST_DAY) onChoose(next)
  }
  /** A date that doesn't exist changes nothing, and browsers tell of no change when it is cleared. */
  function leave({ value: left, validity }: HTMLInputElement): void {
    setTyped({ ...typed, isRefused: isNoDay(validity) })
    if (left === '' && day !== '' && !isNoDay(validity)) onChoose('')
  }
  const shown = typed.isRefused ? m.forms_dateDoesNotExist() : error
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2">
      <label htmlFor={id} className="text-ink-soft" title={title}>
        {label}
      </label>
      <DateInput
        ref={field}
        id={id}
        className="w-38"
        aria-invalid={shown !== null || undefined}
        aria-describedby={describeField(id, { error: shown })}
        value={typed.day}
        onChange={(event) => type(event.target)}
        onBlur={(event) => leave(event.target)}
      />
      {shown === null ? null : <FilterError id={`${id}-error`}>{shown}</FilterError>}
      {value === day ? null : (
        <Button
          tone="quiet"
          size="small"
          aria-label={m.filters_remove({ label })}
          title={m.filters_remove({ label })}
          onClick={() => {
            field.current?.focus()
            onChoose('')
          }}
        >
          <X aria-hidden className="size-4" />
        </Button>
      )}
    </div>
  )
}

function FilterError({ id, children }: { id?: string; children: string }) {
  return (
    <p id={id} role="alert" className="text-[0.8125rem] font-medium wrap-anywhere text-negative">
      {children}
    </p>
  )
}

type ActivityToolbarProps = {
  filters: ActivityFilters
  /** Which of them mean nothing. */
  notUnderstood?: readonly (keyof ActivityFilters)[]
  onFilter: (filters: ActivityFilters, history?: 'push' | 'replace') => void
  seesAll: boolean
}

/** Merges filters, dropping empty ones. */
function withFilters(filters: ActivityFilters, set: Partial<Record<keyof ActivityFilters, string>>): ActivityFilters {
  const all = Object.entries({ ...filters, ...set }).map(([name, value]) => [name, value.trim()])
  return Object.fromEntries(all.filter(([, value]) => value !== ''))
}

/** The filters of the log. The URL is their only store. */
export function ActivityToolbar({ filters, notUnderstood = [], onFilter, seesAll }: ActivityToolbarProps) {
  const id = useId()
  const toolbar = useRef<HTMLElement>(null)
  const { schemeZone } = useAppConfig()
  const kinds = activityKinds.filter((kind) => seesAll || !privateKinds.includes(kind))
  const { from = '', to = '' } = filters
  const explain = (name: keyof ActivityFilters) =>
    notUnderstood.includes(name)
      ? m.filters_notUnderstood({ value: truncate(escapeInvisible(filters[name] ?? ''), MAX_SHOWN) })
      : null
  const areReversed = explain('from') === null && from !== '' && to !== '' && from > to
  const set = (name: keyof ActivityFilters, value: string, history?: 'push' | 'replace') =>
    onFilter(withFilters(filters, { [name]: value }), history)
  return (
    <search ref={toolbar} className="dt-toolbar">
      <HydratedFieldset name={m.activity_filters()}>
        <SearchField
          id={`${id}-person`}
          label={m.activity_person()}
          placeholder={m.activity_personsEMail()}
          value={filters.person ?? ''}
          onSearch={(value, history) => set('person', value, history)}
        />
        <div className="dt-filter-strip">
          <Choice
            id={`${id}-kind`}
            label={m.activity_about()}
            value={filters.kind}
            options={kinds.map((kind) => [kind, nameKind(kind)])}
            onChoose={(value) => set('kind', value)}
          />
          <Choice
            id={`${id}-action`}
            label={m.activity_action()}
            value={filters.action}
            options={[]}
            groups={groupActions()}
            onChoose={(value) => set('action', value)}
          />
          <Choice
            id={`${id}-outcome`}
            label={m.activity_result()}
            value={filters.outcome}
            options={activityOutcomes.map((outcome) => [outcome, activityOutcomeLabels[outcome]()])}
            onChoose={(value) => set('outcome', value)}
          />
          <div className="flex shrink-0 items-center gap-4">
            <Day
              id={`${id}-from`}
              label={m.activity_fromDay()}
              title={m.activity_daysIn({ schemeZone })}
              value={filters.from}
              error={explain('from')}
              onChoose={(value) => set('from', value)}
            />
            <Day
              id={`${id}-to`}
              label={m.activity_to()}
              title={m.activity_daysIn({ schemeZone })}
              value={filters.to}
              error={explain('to') ?? (areReversed ? m.filters_datesAreReversed() : null)}
              onChoose={(value) => set('to', value)}
            />
          </div>
        </div>
        {(
          [
            ['person', m.activity_person()],
            ['kind', m.activity_about()],
            ['action', m.activity_action()],
            ['outcome', m.activity_result()],
          ] as const
        ).map(([name, label]) => {
          const error = explain(name)
          return error === null ? null : <FilterError key={name}>{m.filters_chip({ label, value: error })}</FilterError>
        })}
        {Object.keys(filters).length > 0 ? (
          <Button
            tone="quiet"
            size="small"
            onClick={() => {
              focusFirstFilter(toolbar.current)
              onFilter({})
            }}
          >
            <X aria-hidden className="size-4" />
            {m.activity_clearFilters()}
          </Button>
        ) : null}
      </HydratedFieldset>
    </search>
  )
}
