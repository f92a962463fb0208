'use client'

import { Popover } from '@base-ui/react/popover'
import { type FocusEvent, useEffect, useId, useRef, useState } from 'react'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import * as m from '@/lib/messages/m'
import { InputField } from '../ui/field'
import { Checkbox, Radio } from '../ui/input'
import { AmountForm } from './amount-form'
import { DaysForm } from './days-form'
import { type FormProps, Option, PanelForm, type PanelProps } from './filter-form'
import { joinChoices, splitChoices, type TableFilter } from '@/lib/domain/lists/filter-values'

function equalsIgnoringCase(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

/** The declared options in the API's own spelling where known, then the undeclared ones. */
function mergeOptions(
  { options, describe = (value) => value }: FormProps<'choice'>['filter'],
  seen: readonly string[],
): { value: string; label: string }[] {
  const declared = options.map(({ value, label }) => ({
    value: seen.find((one) => equalsIgnoringCase(one, value)) ?? value,
    label: label(),
  }))
  const others = seen.filter(
    (one, at) =>
      !options.some(({ value }) => equalsIgnoringCase(one, value)) &&
      seen.findIndex((other) => equalsIgnoringCase(one, other)) === at,
  )
  return [...declared, ...others.map((one) => ({ value: one, label: escapeInvisible(describe(one)) }))]
}

/** Each choice applies at once; those of one panel are one history entry. */
function ChoiceForm({ filter, values, findSeen, change, onClose }: FormProps<'choice'>) {
  const name = useId()
  const hasEntry = useRef(false)
  const chosen = splitChoices(values[filter.id] ?? '')
  const options = mergeOptions(filter, [...(filter.isOpen ? findSeen(filter.field) : []), ...chosen])
  // An amount is of one: between two choices the list would be empty.
  const isMultiple = filter.isMultiple && !(filter.id === 'currency' && values.amount !== undefined)
  const isChosen = (value: string) => chosen.some((one) => equalsIgnoringCase(one, value))

  // After Back the current entry is an earlier one, which a choice must not replace.
  useEffect(() => {
    const forget = () => {
      hasEntry.current = false
    }
    addEventListener('popstate', forget)
    return () => removeEventListener('popstate', forget)
  }, [])

  function choose(update: (chosen: readonly string[]) => readonly string[]): void {
    change(
      (current) => ({ [filter.id]: joinChoices(update(splitChoices(current[filter.id] ?? ''))) }),
      hasEntry.current ? 'replace' : 'push',
    )
    hasEntry.current = true
  }

  if (options.length === 0) return <p className="text-ink-soft">{m.filters_noValues()}</p>
  return (
    <fieldset className="-mx-2 max-h-80 overflow-y-auto">
      <legend className="sr-only">{filter.label()}</legend>
      {options.map(({ value, label }) => (
        <Option key={value}>
          {isMultiple ? (
            <Checkbox
              checked={isChosen(value)}
              onChange={({ target: { checked } }) =>
                choose((current) => {
                  const others = current.filter((one) => !equalsIgnoringCase(one, value))
                  return checked ? [...others, value] : others
                })
              }
            />
          ) : (
            <Radio
              name={name}
              checked={chosen.length === 1 && isChosen(value)}
              onChange={() => choose(() => [value])}
              // The arrow keys go on to the next one.
              onClick={({ detail }) => (detail > 0 ? onClose() : undefined)}
            />
          )}
          <span className="wrap-anywhere">{label}</span>
        </Option>
      ))}
    </fieldset>
  )
}

function TextForm({ filter, values, change, onClose }: FormProps<'text'>) {
  const id = useId()
  const [text, setText] = useState(values[filter.id] ?? '')
  const [error, setError] = useState<string | null>(null)
  function apply(): void {
    if (text.trim() === '') return setError(m.filters_textIsMissing())
    change({ [filter.id]: text.trim() }, 'push')
    onClose()
  }
  return (
    <PanelForm onSubmit={apply}>
      <InputField
        id={`${id}-text`}
        label={filter.label()}
        error={error}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        placeholder={filter.placeholder()}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </PanelForm>
  )
}

/** Which of several filters to set. */
function FilterChoice({
  filters,
  onChoose,
}: Pick<PanelProps, 'filters'> & { onChoose: (filter: TableFilter) => void }) {
  return (
    <ul className="-mx-2">
      {filters.map((filter) => (
        <li key={filter.id}>
          <button
            type="button"
            className="flex min-h-9 w-full items-center rounded-md px-2 text-left hover:bg-sunken max-md:min-h-11"
            onClick={() => onChoose(filter)}
          >
            {filter.label()}
          </button>
        </li>
      ))}
    </ul>
  )
}

function isLosingFocus(popup: HTMLElement | null): boolean {
  return document.activeElement === document.body || popup?.contains(document.activeElement) === true
}

const isOfDays = ({ kind }: TableFilter) => kind === 'days'

/** The panel of one filter, of a list's dates, or of those that are seldom needed, one of which is chosen first. */
export function FilterPanel({ filters, current, anchor, onClose, ...rest }: PanelProps) {
  const areDates = filters.length > 1 && filters.every(isOfDays)
  const [chosen, setChosen] = useState<TableFilter | null>(null)
  const firstUnset = filters.find(({ id }) => rest.values[id] === undefined)
  const filter =
    chosen ?? current ?? (areDates ? (firstUnset ?? filters[0]) : filters.length === 1 ? filters[0] : undefined)
  const popup = useRef<HTMLDivElement>(null)
  // The pressed button makes way for the filter's fields.
  useEffect(() => {
    if (chosen) (popup.current?.querySelector<HTMLElement>('input, select, button') ?? popup.current)?.focus()
  }, [chosen])
  const form = { ...rest, onClose }
  // Around the panel stands only what catches the focus when Tab leads out of it.
  function onFocus({ target }: FocusEvent): void {
    if (popup.current?.contains(target)) return
    anchor.current?.focus()
    onClose()
  }
  // The button closes its panel by its own click: closed at the press, the click would open it again.
  const isPressOnAnchor = ({ reason, event: { target } }: Popover.Root.ChangeEventDetails) =>
    reason === 'outside-press' && target instanceof Node && anchor.current?.contains(target) === true
  const label = areDates ? m.filters_date() : filter?.label()
  return (
    <Popover.Root open onOpenChange={(open, details) => (open || isPressOnAnchor(details) ? undefined : onClose())}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="z-40"
          onFocus={onFocus}
        >
          <Popover.Popup
            ref={popup}
            // What has the focus by then keeps it.
            finalFocus={() => isLosingFocus(popup.current) && anchor.current}
            aria-label={label === undefined ? m.filters_more() : m.filters_edit({ label })}
            className="max-h-(--available-height) w-80 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-raised p-4 text-ink shadow-panel"
          >
            {filter ? null : <FilterChoice filters={filters} onChoose={setChosen} />}
            {filter?.kind === 'choice' ? <ChoiceForm {...form} filter={filter} /> : null}
            {filter?.kind === 'days' ? (
              <DaysForm {...form} filter={filter} current={current} others={filters.filter(isOfDays)} />
            ) : null}
            {filter?.kind === 'amount' ? <AmountForm {...form} filter={filter} /> : null}
            {filter?.kind === 'text' ? <TextForm {...form} filter={filter} /> : null}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
