import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { setDeskForEach } from '@/lib/client/testing/page'
import type { WebhookEntry } from '@/lib/domain/webhooks'
import { WebhookHealth } from './webhook-health'

const desk = setDeskForEach()

const entry: WebhookEntry = {
  address: 'https://other.example/hooks',
  id: null,
  createdAt: null,
  failingSince: null,
  disabled: { at: '2026-11-23T09:00:00Z', because: 'Gone' },
  further: null,
}

it('an attempt whose reply was lost is repeated under its key, after the list was read again', async () => {
  const keys: unknown[] = []
  desk.answerWith(({ headers }) => {
    keys.push(headers['idempotency-key'])
    return keys.length < 3
      ? { status: 504, json: { type: 'urn:debitdesk:upstream-timeout', status: 504 } }
      : { json: { status: 200, reply: {} } }
  })
  const [readAgain, onSubscribed] = [vi.fn<() => Promise<void>>(() => Promise.resolve()), vi.fn<() => void>()]
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <WebhookHealth entry={entry} own={null} mayManage onSubscribed={onSubscribed} readAgain={readAgain} />
      </QueryProvider>
    </AppConfigProvider>,
  )
  expect(screen.getByText(/because the address said that it’s gone/u)).toBeTruthy()
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Enable again' }))
  for (const times of [1, 2]) {
    press()
    await vi.waitFor(() => expect(readAgain).toHaveBeenCalledTimes(times))
    await screen.findByText(/Check the list/u)
  }
  press()
  await vi.waitFor(() => expect(onSubscribed).toHaveBeenCalledTimes(1))
  press()
  await vi.waitFor(() => expect(keys).toHaveLength(4))
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/u)
  expect(new Set(keys.slice(0, 3)).size).toBe(1)
  expect(keys[3]).not.toBe(keys[0])
})
