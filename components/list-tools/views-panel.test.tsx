// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { expect, it } from 'vitest'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { SavedView } from '@/lib/domain/lists/list-preferences'
import { ViewsPanel } from './views-panel'

const desk = setDeskForEach()

it('a view that somebody else has deleted is deleted', async () => {
  const view: SavedView = {
    viewId: 'v1',
    name: 'Overdue',
    query: 'state=Pending',
    isShared: true,
    savedBy: 'ann@debitdesk.example',
    mayChange: true,
    isDefault: false,
  }
  let views = [view]
  desk.answerWith(({ method }) => {
    if (method === 'GET') return { json: { views, mayShare: true } }
    views = []
    return { status: 404, json: { type: 'urn:debitdesk:not-found', title: 'Not found', status: 404 } }
  })
  const shown = { query: '', isShown: () => false, setViews: () => undefined, name: undefined }
  render(
    <AppRouterContext value={router}>
      <SearchParamsContext value={new URLSearchParams()}>
        <ViewsPanel list="listPayments" shown={shown} onClose={() => undefined} />
      </SearchParamsContext>
    </AppRouterContext>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Overdue' }))
  fireEvent.click(screen.getByRole('button', { name: 'Delete for everyone' }))
  await waitFor(() => expect(screen.queryByText('Overdue')).toBeNull())
  expect(screen.queryByRole('alert')).toBeNull()
})
