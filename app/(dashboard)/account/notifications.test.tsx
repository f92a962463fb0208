import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { router } from '@/lib/client/testing/page'
import { type MerchantNotifications, type NotificationChoice, notificationKinds } from '@/lib/domain/notifications'
import { Notifications } from './notifications'

let sent: NotificationChoice[]
/** The status of each reply in turn; 200 once they are used up. */
let statuses: number[]
const refresh = vi.fn<() => void>()

beforeEach(() => {
  refresh.mockClear()
  sent = []
  statuses = []
  let kept = merchants
  vi.stubGlobal('fetch', async (_path: string, options: { body?: string } = {}) => {
    const choice = JSON.parse(options.body ?? '') as NotificationChoice
    sent.push(choice)
    const status = statuses.shift() ?? 200
    if (status !== 200) return Response.json({}, { status })
    kept = kept.map((one) => {
      if (one.connectionId !== choice.connectionId) return one
      const others = one.kinds.filter((kind) => kind !== choice.kind)
      return { ...one, kinds: choice.isWanted ? [...others, choice.kind] : others, hour: choice.hour ?? one.hour }
    })
    return Response.json(kept.find(({ connectionId }) => connectionId === choice.connectionId))
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

function show(initial = merchants, locale = facts.locale) {
  render(
    <AppRouterContext value={{ ...router, refresh }}>
      <QueryClientProvider client={new QueryClient()}>
        <AppConfigProvider config={{ ...facts, locale }}>
          <Notifications initial={initial} zone="Europe/Copenhagen" />
        </AppConfigProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  )
  const choices = within(screen.getByRole('group', { name: 'Havn & Søn' }))
  return { choices, needsPerson: choices.getByRole('checkbox', { name: 'A cancellation needs a person' }) }
}

it.each([
  ['en-GB', '08:00'],
  ['da-DK', '08.00'],
])('name the hour as clocks do where the reader’s locale is %s', (locale, hour) => {
  const { choices } = show(merchants, locale)
  expect(choices.getByRole('option', { name: hour })).toHaveProperty('selected', true)
})

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
  statuses = [503]
  const { needsPerson } = show()
  fireEvent.click(needsPerson)
  await screen.findByRole('alert')
  expect(needsPerson).toHaveProperty('checked', false)
  expect(refresh).not.toHaveBeenCalled()
})

it('are as saved after Back: the page is made again', async () => {
  fireEvent.click(show().needsPerson)
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledOnce())
})

it.each([
  ['first', [503, 200], [false, true]],
  ['second', [200, 503], [true, false]],
  ['first, also after others,', [503, 200, 200], [false, true]],
])('ticked quickly are as saved where the %s fails, and the reason stays', async (_which, replies, ticked) => {
  statuses = [...replies]
  const { choices, needsPerson } = show()
  const rejected = choices.getByRole('checkbox', { name: /A payment is rejected/u })
  const chargeback = choices.getByRole('checkbox', { name: /charge/iu })
  const boxes = replies.length === 3 ? [needsPerson, rejected, chargeback] : [needsPerson, rejected]
  for (const box of boxes) fireEvent.click(box)
  expect(boxes.every((box) => box.matches(':checked'))).toBe(true)
  await vi.waitFor(() => expect(sent).toHaveLength(replies.length))
  await screen.findByRole('alert')
  await vi.waitFor(() => expect([needsPerson, rejected].map((box) => box.matches(':checked'))).toEqual(ticked))
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  expect(screen.getByRole('alert')).toBeTruthy()
  expect([needsPerson, rejected].map((box) => box.matches(':checked'))).toEqual(ticked)
})

it('offer only what the role may read and the desk can count', () => {
  const { choices } = show(merchants.map((one) => ({ ...one, offered: ['needs-person'] })))
  expect(choices.getAllByRole('checkbox')).toHaveLength(1)
})
