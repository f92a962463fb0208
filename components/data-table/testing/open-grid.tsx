import { act, fireEvent, screen } from '@testing-library/react'
import { useMemo, useState } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { SortOrder } from '@/lib/api-contract/filter'
import type { Payment } from '@/lib/api-contract/payments'
import { AppConfigProvider } from '../../layout/app-config'
import { relatedPaymentsTable } from '../../payments/payment-columns'
import { arrangeColumns } from '../column-layout'
import { clearListPlace } from '../list-place'
import { TableGrid } from '../table-grid'
import { type Selection, useSelection } from '../use-selection'
import { layOut } from './lay-out'
import { honest, pass, setListStage, waitUntil } from '../../infinite-list/testing/open-list'
import { facts } from './render-rows'

/** The grid's props and recorded callbacks. */
export const state: {
  /** The column layout as in the URL. */
  layout: string | null
  order: SortOrder | null
  /** Keys of opened rows, in order. */
  opened: string[]
  selection: Selection<Payment> | null
} = { layout: null, order: null, opened: [], selection: null }

/** A grid of related payments with a fake layout (lay-out.ts), one test at a time. */
export const stage = setListStage((list, { visit = 'plain' }) => {
  const selection = useSelection(list, 'all', visit)
  state.selection = selection
  const [openKey, open] = useState<string | null>(null)
  const columns = useMemo(() => arrangeColumns(relatedPaymentsTable.columns, state.layout), [])
  return (
    <AppConfigProvider config={facts}>
      <TableGrid
        definition={relatedPaymentsTable}
        columns={columns}
        readColumns={() => columns}
        list={list}
        viewKey={visit}
        sorting={state.order}
        onSortingChange={(next) => (state.order = next)}
        onOpen={(key) => {
          state.opened.push(key)
          open(key)
        }}
        openRowId={openKey}
        selection={selection}
        onLayoutChange={undefined}
      />
    </AppConfigProvider>
  )
})

/** Resets the grid between tests. */
export function setGridForEach(): void {
  beforeEach(() => {
    layOut()
    for (const visit of ['plain', 'other']) clearListPlace(visit)
    Object.assign(state, { layout: null, order: null, opened: [], selection: null })
  })
  afterEach(async () => {
    await stage.close()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
}

/** Opens the grid with `count` loaded rows. */
export async function openGrid(count = 300): Promise<void> {
  await stage.open(honest(count), { visit: 'plain', seen: count })
  await waitUntil(() => stage.list.size === count)
}

export const grid = (): HTMLElement => screen.getByRole('grid')
export const rows = (): HTMLElement[] => [...grid().querySelectorAll<HTMLElement>('[data-row-id]')]
export const ids = (): (string | undefined)[] => rows().map(({ dataset }) => dataset.rowId)

export function rowOf(id: string): HTMLElement {
  const row = rows().find(({ dataset }) => dataset.rowId === id)
  if (!row) throw new Error(`There is no row of ${id}.`)
  return row
}

export async function scrollTo(top: number): Promise<void> {
  act(() => grid().scrollTo({ top }))
  await pass(20)
}

/** Presses a key on the focused element. */
export function press(key: string, more: { shiftKey?: boolean; ctrlKey?: boolean } = {}): void {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more })
}

/** The id of the focused row. */
export function readFocus(): string | undefined {
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset.rowId : undefined
}
