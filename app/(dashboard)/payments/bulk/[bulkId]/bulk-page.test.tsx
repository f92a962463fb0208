// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { layOut } from '@/components/data-table/testing/lay-out'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { type DeskServer, startDeskServer } from '@/lib/client/testing/desk-server'
import type { BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { BulkPage } from './bulk-page'
import { router } from '@/lib/client/testing/page'

let desk: DeskServer

beforeEach(async () => {
  layOut()
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  desk = await startDeskServer()
})
afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await desk.close()
})

const counts = { sending: 0, requested: 0, cancelled: 0, 'not-cancelled': 0, unknown: 0, 'needs-person': 0 }
const awaiting: BulkView = {
  id: 'b1',
  state: 'awaiting',
  problem: null,
  wait: null,
  source: { kind: 'list', name: null },
  requestedBy: 'ann@shop.example',
  createdAt: '2026-11-28T08:00:00Z',
  startedAt: null,
  endedAt: null,
  approval: {
    requestedAt: '2026-11-28T08:00:00Z',
    expiresAt: '2026-11-29T08:00:00Z',
    decidedAt: null,
    decidedBy: null,
    note: null,
  },
  read: 1,
  count: 1,
  sums: [],
  digest: null,
  counts: { ...counts, unsent: 1, left: 0 },
  written: 0,
  settled: 0,
}

it('once a request is decided on, the focus is in the page’s content, for the button is gone', async () => {
  const decided = { decidedAt: '2026-11-28T09:00:00Z', decidedBy: 'ann@shop.example' }
  let view = awaiting
  desk.answerWith(({ method, path }) => {
    if (path.includes('/rows')) return { json: { rows: [], asOf: '', next: null } }
    if (method === 'POST' && awaiting.approval)
      view = { ...awaiting, state: 'declined', problem: 'withdrawn', approval: { ...awaiting.approval, ...decided } }
    return { json: view }
  })
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <main id="content" tabIndex={-1}>
            <BulkPage initialView={awaiting} mayCancel isMine rule={null} />
          </main>
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const opener = await screen.findByRole('button', { name: /withdraw/iu })
  opener.focus()
  fireEvent.click(opener)
  const dialog = await screen.findByRole('alertdialog')
  fireEvent.click(within(dialog).getByRole('button', { name: /withdraw/iu }))
  await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('content'), { timeout: 3_000 })
})
