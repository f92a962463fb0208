'use client'

import { type FormEvent, useId, useState } from 'react'
import { type CsvFlavour, csvFlavourOf } from '@/lib/domain/csv'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { exportColumns } from '@/lib/domain/lists/export-columns'
import { findDayPreset } from '@/lib/domain/lists/day-presets'
import type { ExportScheduleRequest, ExportTimes } from '@/lib/domain/lists/export-schedule'
import { type ExportQuery, toExportOrder } from '@/lib/domain/lists/list-export'
import { useAppConfig, useViewerZone } from '../layout/app-config'
import { describeFilter } from '@/lib/domain/lists/filter-values'
import { Button } from '../ui/button'
import { Checkbox, Select } from '../ui/input'
import { UntrustedText } from '../ui/untrusted-text'
import { Repeat } from './scheduled-exports'
import type { ListToolsProps } from './tool-props'
import * as m from '@/lib/messages/m'

/** Export names of columns that can't be derived from the column id. */
const EXPORT_NAMES: Record<ListId, Readonly<Record<string, string>>> = {
  listPayments: { payer: 'customer_name', state: 'status', mode: 'test', mandate: 'mandate_handle' },
  listCustomers: {},
  listMandates: { customer: 'customer_name', number: 'customer_number' },
}

function toExportName(list: ListId, id: string): string {
  const name = id.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)
  return EXPORT_NAMES[list][id] ?? name.replace(/_at$/u, '')
}

/** Orders export columns like the list: `shown` are its visible columns, `all` adds the others in default order. */
export function orderExport(
  list: ListId,
  columns: readonly string[],
  exported: readonly string[],
): { shown: readonly string[]; all: readonly string[] } {
  const names = columns.map((id) => toExportName(list, id))
  const shown = names.filter((name) => exported.includes(name))
  return { shown, all: [...shown, ...exported.filter((name) => !shown.includes(name))] }
}

/** The list to export: its filtered rows, and its columns as far as they are chosen. */
export type ExportedList = Pick<ListToolsProps, 'listId' | 'name' | 'filters' | 'view' | 'plan' | 'planFor'> & {
  columnChoice: Pick<ListToolsProps['columnChoice'], 'columns'>
  /** Why no export can be made now. */
  heldBecause?: string | null
  /** Asked before an export is made. */
  mayBegin?: () => boolean
}

type ExportFormProps = ExportedList & {
  onBegin: (query: ExportQuery) => Promise<void>
  onSchedule: (request: ExportScheduleRequest) => Promise<void>
}

/** The export form: rows are those of the filtered list, columns are chosen. */
export function ExportForm(props: ExportFormProps) {
  const { listId, name, filters, view, plan, planFor, columnChoice, heldBecause = null } = props
  const { mayBegin, onBegin, onSchedule } = props
  const id = useId()
  const config = useAppConfig()
  const { exportDays = 1, schemeZone, locale } = config
  const viewerZone = useViewerZone()
  const available = exportColumns[listId]
  // The columns of the list are preselected.
  const chosenColumns = columnChoice.columns.filter(({ from }) => from !== 'card')
  const { shown, all } = orderExport(
    listId,
    chosenColumns.map((column) => column.id),
    available.map((column) => column.id),
  )
  const columns = all.flatMap((one) => available.find((column) => column.id === one) ?? [])
  const [chosen, setChosen] = useState<readonly string[]>(shown.length === 0 ? all : shown)
  const [zone, setZone] = useState(viewerZone)
  const [flavour, setFlavour] = useState<CsvFlavour>(csvFlavourOf(locale))
  const [times, setTimes] = useState<ExportTimes | null>(null)
  const [isBusy, setBusy] = useState(false)
  const activeFilters: Readonly<Record<string, string>> = Object.fromEntries(
    filters
      .filter((filter) => view.values[filter.id] !== undefined)
      .map((filter) => [filter.label(), describeFilter(filter, view.values, config)]),
  )

  async function begin(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy || heldBecause !== null || chosen.length === 0 || mayBegin?.() === false) return
    setBusy(true)
    // The days of a schedule move on; the rest of its filter stays.
    const moving = filters.flatMap((filter) => {
      const preset = view.values[filter.id]
      const moves = times !== null && filter.kind === 'days' && preset !== undefined && findDayPreset(preset)
      return moves ? [{ id: filter.id, field: filter.field, preset }] : []
    })
    const fixed = Object.entries(view.values).filter(([filterId]) => moving.every((one) => one.id !== filterId))
    const planned = moving.length === 0 ? plan : planFor(Object.fromEntries(fixed))
    const query: ExportQuery = {
      list: listId,
      asked: planned.requestedFilter,
      rest: planned.clientSide.filter,
      order: toExportOrder(planned.requestedOrders),
      filters: activeFilters,
      columns: all.filter((one) => chosen.includes(one)),
      zone,
      flavour,
    }
    if (times === null) await onBegin(query)
    else await onSchedule({ query, moving: moving.map(({ field, preset }) => ({ field, preset })), times })
    setBusy(false)
  }

  function toggle(column: string): void {
    setChosen(chosen.includes(column) ? chosen.filter((one) => one !== column) : [...chosen, column])
  }

  return (
    <form onSubmit={(event) => void begin(event)} className="grid gap-5">
      <div className="grid gap-1">
        <p>
          {Object.keys(activeFilters).length === 0
            ? m.exporting_allReadFromTheService({ name: name.toLowerCase() })
            : m.exporting_rows()}{' '}
          {Object.entries(activeFilters).map(([label, value], at) => (
            <span key={label}>
              {at > 0 ? ', ' : ''}
              {label.toLowerCase()} <UntrustedText>{value}</UntrustedText>
            </span>
          ))}
        </p>
        {plan.clientSide.filter ? (
          <p className="text-[0.8125rem] text-ink-soft">{m.exporting_serviceDoesNotFilter()}</p>
        ) : null}
        {plan.clientSide.orders.length > 0 ? (
          <p className="text-[0.8125rem] text-ink-soft">{m.exporting_inTheOrder()}</p>
        ) : null}
      </div>
      <fieldset>
        <legend className="mb-2 flex w-full items-baseline gap-3 font-medium">
          {m.exporting_columns()}
          <Button
            tone="quiet"
            size="small"
            className="ml-auto"
            onClick={() => setChosen(chosen.length === all.length ? [] : all)}
          >
            {chosen.length === all.length ? m.exporting_chooseNone() : m.exporting_chooseAll()}
          </Button>
        </legend>
        <div className="grid grid-cols-2 gap-x-4 gap-y-1 max-md:grid-cols-1">
          {columns.map((column) => (
            <label key={column.id} className="flex min-h-7 items-center gap-2.5 max-md:min-h-11">
              <Checkbox checked={chosen.includes(column.id)} onChange={() => toggle(column.id)} />
              {column.label()}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={`${id}-format`} className="font-medium">
          {m.exporting_format()}
        </label>
        <Select
          id={`${id}-format`}
          value={flavour}
          onChange={(event) => setFlavour(event.target.value === 'semicolon' ? 'semicolon' : 'comma')}
        >
          <option value="comma">{m.exporting_formatComma()}</option>
          <option value="semicolon">{m.exporting_formatSemicolon()}</option>
        </Select>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={`${id}-zone`} className="font-medium">
          {m.exporting_localTimesIn()}
        </label>
        <Select id={`${id}-zone`} value={zone} onChange={(event) => setZone(event.target.value)}>
          {[...new Set([viewerZone, schemeZone, 'UTC'])].map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
      </div>
      <div className="grid gap-1">
        <Repeat id={id} times={times} onChange={setTimes} />
        {times ? (
          <p className="text-[0.8125rem] text-ink-soft">
            {m.exporting_zoneOfSchedule({ zone: schemeZone, days: exportDays })}
          </p>
        ) : null}
      </div>
      <p className="text-[0.8125rem] text-ink-soft">
        {listId === 'listPayments' ? m.exporting_amountsAreWrittenAsWhole() : m.exporting_momentsAreWrittenInUtc()}{' '}
        {m.exporting_exportGoes({ days: exportDays })}
      </p>
      <Button
        type="submit"
        tone="primary"
        className="justify-self-start"
        reason={
          heldBecause ??
          (chosen.length === 0
            ? m.exporting_chooseAtLeastOneColumn()
            : isBusy
              ? m.exporting_exportIsBeingStarted()
              : null)
        }
      >
        {times ? m.exporting_schedule() : m.exporting_startExport()}
      </Button>
    </form>
  )
}
