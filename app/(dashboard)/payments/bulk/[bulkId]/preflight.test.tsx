import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeBulkRow, makeBulkView } from '@/components/cancellations/testing/bulk-fixture'
import { layOut } from '@/components/data-table/testing/lay-out'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { router } from '@/lib/client/testing/page'
import { ConfirmBulk, Preflight } from './preflight'

beforeEach(() => {
  layOut()
})
afterEach(() => {
  cleanup()
  window.sessionStorage.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const view = makeBulkView({ count: 3 })
const rows = [0, 1, 2].map(makeBulkRow)

const field = (row: number) => screen.getByRole<HTMLInputElement>('textbox', { name: `Reason for row ${row}` })
const paste = (row: number, ...lines: string[]) =>
  fireEvent.paste(field(row), { clipboardData: { getData: () => lines.join('\n') } })
const findFill = () => screen.queryByRole('button', { name: 'Fill empty reasons with the first one' })

it('a pasted reason that is too long is named and marked as that, and is given to no empty row', () => {
  render(
    <AppRouterContext value={router}>
      <SearchParamsContext value={new URLSearchParams()}>
        <AppConfigProvider config={facts}>
          <QueryProvider>
            <Preflight view={view} rows={rows} mayCancel isMine rule={null} onSay={() => undefined} />
          </QueryProvider>
        </AppConfigProvider>
      </SearchParamsContext>
    </AppRouterContext>,
  )
  fireEvent.click(screen.getByRole('checkbox', { name: 'A reason for each row' }))
  expect(screen.getByText('What you type is kept in this browser tab until you confirm or sign out.')).toBeTruthy()
  expect(screen.getByText('3 rows have no reason yet.')).toBeTruthy()
  expect(findFill()).toBeNull()
  paste(1, 'x'.repeat(512), 'Paid twice')
  const tooLong = 'Reason for row 1: At most 500 characters: 12 too many.'
  // Before the rows that are still empty, and with all that was pasted: the browser would cut it to what a field may hold.
  expect(screen.getByText(tooLong)).toBeTruthy()
  expect(field(1).hasAttribute('maxlength')).toBe(false)
  fireEvent.click(findFill() ?? document.body)
  expect(field(3).value).toBe('Paid twice')
  expect(screen.getByText(tooLong)).toBeTruthy()
  expect([1, 2, 3].map((row) => field(row).getAttribute('aria-invalid'))).toEqual(['true', null, null])
  expect(findFill()).toBeNull()
  fireEvent.change(field(1), { target: { value: 'Moved away' } })
  expect(screen.queryByText(/At most 500 characters/u)).toBeNull()
  expect(field(1).getAttribute('aria-invalid')).toBeNull()
})

it.each([
  [true, 'Not yet'],
  [false, 'Keep payments'],
])('whoever only asks for approval (%s) is offered “%s”: nothing is cancelled either way', (needsApproval, label) => {
  const confirmed = { view, rows, sums: [], reason: 'Paid twice', reasons: {}, needsApproval }
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <ConfirmBulk {...confirmed} onClose={() => undefined} />
      </QueryProvider>
    </AppConfigProvider>,
  )
  expect(screen.getByRole('button', { name: label })).toBeTruthy()
})
