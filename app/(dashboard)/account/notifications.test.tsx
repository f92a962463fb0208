// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type MerchantNotifications, notificationKinds } from '@/lib/domain/notifications'
import { Notifications } from './notifications'

let sent: unknown[]
let status: number

beforeEach(() => {
  sent = []
  status = 200
  vi.stubGlobal('fetch', async (_path: string, options: { body?: string } = {}) => {
    sent.push(JSON.parse(options.body ?? ''))
    return Response.json({}, { status })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const merchants: MerchantNotifications[] = [
  { connectionId: 'default', name: 'Nordlys Bureau', kinds: ['rejected'], offered: [...notificationKinds], hour: 8 },
  { connectionId: 'm-other', name: 'Havn & Søn', kinds: [], offered: [...notificationKinds], hour: 8 },
]

function show(initial = merchants) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Notifications initial={initial} zone="Europe/Copenhagen" />
    </QueryClientProvider>,
  )
  const choices = within(screen.getByRole('group', { name: 'Havn & Søn' }))
  return { choices, needsPerson: choices.getByRole('checkbox', { name: 'A cancellation needs a person' }) }
}

it('are chosen per merchant and saved at once', async () => {
  const { choices, needsPerson } = show()
  const first = within(screen.getByRole('group', { name: 'Nordlys Bureau' }))
  expect(first.getByRole('checkbox', { name: /A payment is rejected/u })).toHaveProperty('checked', true)
  fireEvent.click(needsPerson)
  expect(needsPerson).toHaveProperty('checked', true)
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('Saved.'))
  const hour = choices.getByRole('combobox', { name: 'Hour at which you’re told' })
  expect(hour).toHaveProperty('disabled', true)
  fireEvent.click(choices.getByRole('checkbox', { name: /What closes today/u }))
  fireEvent.change(hour, { target: { value: '6' } })
  await vi.waitFor(() => expect(sent).toHaveLength(3))
  expect(sent).toEqual([
    { connectionId: 'm-other', kind: 'needs-person', isWanted: true },
    { connectionId: 'm-other', kind: 'closing-today', isWanted: true, hour: 8 },
    { connectionId: 'm-other', kind: 'closing-today', isWanted: true, hour: 6 },
  ])
})

it('are as before where saving fails, and the reason is shown', async () => {
  status = 503
  const { needsPerson } = show()
  fireEvent.click(needsPerson)
  await screen.findByRole('alert')
  expect(needsPerson).toHaveProperty('checked', false)
})

it('offer only what the role may read and the desk can count', () => {
  const { choices } = show(merchants.map((one) => ({ ...one, offered: ['needs-person'] })))
  expect(choices.getAllByRole('checkbox')).toHaveLength(1)
})
