// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { CustomerImportView } from '@/lib/domain/customer-import'
import { ImportCustomers } from './import-customers'

const desk = setDeskForEach()

const view: CustomerImportView = {
  importId: 'i1',
  fileName: 'pasted.csv',
  startedBy: 'ann@debitdesk.example',
  createdAt: '2026-11-20T10:00:00.000Z',
  state: 'done',
  problem: null,
  waitUntil: null,
  counts: { waiting: 0, created: 1, refused: 0, leftOut: 0, unknown: 0, found: 0, held: 0 },
  troubles: [],
  doubts: [],
}

it('an import that was followed to its end is among the earlier ones', async () => {
  desk.answerWith(() => ({ json: view }))
  const page = (imports: readonly CustomerImportView[]) => (
    <AppRouterContext value={{ ...router, refresh: () => rerender(page([view])) }}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <ImportCustomers imports={imports} />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>
  )
  const { rerender } = render(page([]))
  fireEvent.change(screen.getByLabelText('Or paste the lines'), { target: { value: 'name,number\nAnn Smith,17' } })
  fireEvent.click(screen.getByRole('button', { name: 'Use these lines' }))
  const start = await screen.findByRole('button', { name: /^Create/u })
  await vi.waitFor(() => expect(start.getAttribute('aria-disabled')).toBeNull())
  fireEvent.click(start)
  fireEvent.click(await screen.findByRole('button', { name: 'Choose another file' }))
  await screen.findByRole('heading', { name: 'Previous imports' })
  expect(screen.getByText('pasted.csv')).toBeTruthy()
})
