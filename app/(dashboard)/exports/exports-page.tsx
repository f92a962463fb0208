'use client'

import { useId, useRef, useState } from 'react'
import { focusFirstInvalid } from '@/components/forms/form-elements'
import { filterContext, readRange, type TableFilter } from '@/lib/domain/lists/filter-values'
import type { TableView } from '@/components/data-table/table-view'
import { planQuery } from '@/lib/domain/lists/list-plan'
import { useAppConfig } from '@/components/layout/app-config'
import { ExportPanel } from '@/components/list-tools/export-panel'
import { withMerchantParam } from '@/lib/client/page-context'
import { DateField } from '@/components/ui/date-field'
import { describeField, Field } from '@/components/ui/field'
import { Select } from '@/components/ui/input'
import type { CapabilityProofs, ListId } from '@/lib/domain/lists/capabilities'
import { dayPresets } from '@/lib/domain/lists/day-presets'
import type { ListExportView } from '@/lib/domain/lists/list-export'
import * as m from '@/lib/messages/m'

/** The date by which a list is limited to a period; null where it has none. */
const lists: Record<ListId, { name: () => string; period: Extract<TableFilter, { kind: 'days' }> | null }> = {
  listPayments: {
    name: m.payments_payments,
    period: { kind: 'days', id: 'payment', label: m.payments_paymentDate, field: 'paymentDate' },
  },
  listCustomers: {
    name: m.customers_customers,
    period: { kind: 'days', id: 'created', label: m.payments_created, field: 'createdAt' },
  },
  listMandates: { name: m.mandates_mandates, period: null },
}
const listIds: readonly ListId[] = ['listPayments', 'listCustomers', 'listMandates']

const CUSTOM = 'custom'

type Period = { choice: string; from: string; to: string }

type ExportsPageProps = {
  proofs: Record<ListId, CapabilityProofs>
  /** The export that the address names, shown first. */
  opened?: ListExportView | undefined
  /** Whether the address names an export that doesn't exist, or no longer. */
  isGone?: boolean
}

/** Makes and lists exports without a list beside them, for people who may not browse as well. */
export function ExportsPage({ proofs, opened, isGone = false }: ExportsPageProps) {
  const id = useId()
  const config = useAppConfig()
  const [list, setList] = useState<ListId>(opened?.list ?? 'listPayments')
  const [shownFirst, setShownFirst] = useState(opened)
  const [period, setPeriod] = useState<Period>({ choice: '', from: '', to: '' })
  const choices = useRef<HTMLFormElement>(null)
  const { name, period: filter } = lists[list]
  const choice = filter ? period.choice : ''
  const { value, errors } = choice === CUSTOM ? readRange(period) : { value: choice, errors: null }
  // An empty range is only not chosen yet.
  const shown = period.from === '' || period.to === '' ? null : errors
  const view: TableView = {
    values: filter === null || value === '' ? {} : { [filter.id]: value },
    sorting: null,
    columns: null,
    openRowId: null,
  }
  const filters = filter ? [filter] : []
  const planFor = (values: TableView['values']) =>
    planQuery(filters, { ...view, values }, proofs[list], filterContext(config))
  /** Whether the dates exist; one that doesn't has no value, as if none was typed. */
  function checkDates(): boolean {
    const isValid = choices.current?.checkValidity() ?? true
    focusFirstInvalid(choices.current)
    return isValid
  }
  /** The address names the opened export no longer: the page is not to show it first again. */
  function leaveOpened(): void {
    if (!shownFirst) return
    setShownFirst(undefined)
    history.replaceState(null, '', withMerchantParam(location.pathname))
  }
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
      {isGone ? (
        <p role="alert" className="text-caution">
          {m.refusals_thereIsNoSuchExport({ days: config.exportDays ?? 1 })}
        </p>
      ) : null}
      <section
        aria-label={m.exporting_newExport()}
        className="group rounded-lg border border-line bg-surface p-5 max-md:px-4"
      >
        <form
          ref={choices}
          noValidate
          onSubmit={(event) => event.preventDefault()}
          className="mb-5 flex flex-wrap gap-x-6 gap-y-3"
        >
          <Field id={`${id}-list`} label={m.exportsPage_list()}>
            <Select
              id={`${id}-list`}
              value={list}
              onChange={({ target }) => {
                setList(listIds.find((one) => one === target.value) ?? 'listPayments')
                leaveOpened()
              }}
            >
              {listIds.map((one) => (
                <option key={one} value={one}>
                  {lists[one].name()}
                </option>
              ))}
            </Select>
          </Field>
          {/* An export that is shown says itself what it is of. */}
          {filter ? (
            <div className="flex flex-wrap gap-x-6 gap-y-3 group-has-data-export:hidden">
              <Field
                id={`${id}-period`}
                label={m.exportsPage_period()}
                hint={m.exportsPage_ofDate({ date: filter.label(), zone: config.schemeZone })}
              >
                <Select
                  id={`${id}-period`}
                  value={period.choice}
                  aria-describedby={describeField(`${id}-period`, { hint: true })}
                  onChange={({ target }) => setPeriod({ ...period, choice: target.value })}
                >
                  <option value="">{m.exportsPage_always()}</option>
                  {dayPresets.map((preset) => (
                    <option key={preset.id} value={preset.id}>
                      {preset.label()}
                    </option>
                  ))}
                  <option value={CUSTOM}>{m.filters_customRange()}</option>
                </Select>
              </Field>
              {choice === CUSTOM ? (
                <>
                  <DateField
                    id={`${id}-from`}
                    label={m.filters_from()}
                    error={shown?.from}
                    value={period.from}
                    onChange={({ target }) => setPeriod({ ...period, from: target.value })}
                  />
                  <DateField
                    id={`${id}-to`}
                    label={m.filters_to()}
                    error={shown?.to}
                    value={period.to}
                    onChange={({ target }) => setPeriod({ ...period, to: target.value })}
                  />
                </>
              ) : null}
            </div>
          ) : null}
        </form>
        <ExportPanel
          key={list}
          listId={list}
          name={name()}
          filters={filters}
          view={view}
          plan={planFor(view.values)}
          planFor={planFor}
          columnChoice={{ columns: [] }}
          heldBecause={errors?.from ?? errors?.to ?? null}
          mayBegin={checkDates}
          opened={shownFirst}
          onLeave={leaveOpened}
        />
      </section>
    </div>
  )
}
