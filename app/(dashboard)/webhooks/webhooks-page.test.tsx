import { fireEvent, render, screen, within } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, onTestFinished, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import type { InboxMessage, InboxView } from '@/lib/domain/webhooks'
import { RenewAddress } from './renew-address'
import { WebhooksPage } from './webhooks-page'
import { router, setDeskForEach } from '@/lib/client/testing/page'

const desk = setDeskForEach()

const inbox: InboxView = {
  address: null,
  signingSecret: 'none',
  refused: null,
  messages: [],
  isWhole: true,
  kept: 0,
}

const page = (record: unknown, first = inbox) => (
  <AppRouterContext value={router}>
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <WebhooksPage result={{ record }} inbox={first} mayManage />
      </QueryProvider>
    </AppConfigProvider>
  </AppRouterContext>
)

const record = [{ webhookUrl: 'https://one.example' }]

it('the focus of a changed address goes back to its button, to the notice of the new one, and from a row that is gone to the list', async () => {
  desk.answerWith(({ method, path }) => {
    if (path.endsWith('/inbox')) return { json: inbox }
    if (path.endsWith('/probe')) return { json: { kind: 'answered', status: 200, milliseconds: 3 } }
    return { json: method === 'POST' ? { status: 201, reply: {} } : record }
  })
  const { rerender } = render(page(record))
  const change = screen.getByRole('button', { name: 'Change' })
  const row = within(change.closest('li') ?? document.body)
  const press = (name: string) => fireEvent.click(row.getByRole('button', { name }))
  press('Change')
  row.getByRole('button', { name: 'Keep address' }).focus()
  press('Keep address')
  expect(document.activeElement).toBe(change)
  press('Change')
  fireEvent.change(row.getByRole('textbox'), { target: { value: 'https://two.example' } })
  press('Replace address')
  await vi.waitFor(() => expect(document.activeElement?.textContent).toContain('https://two.example'))
  change.focus()
  rerender(page([{ webhookUrl: 'https://two.example' }]))
  expect(change.isConnected).toBe(false)
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Subscriptions' }))
})

it('an old address that somebody removed meanwhile is not reported as still subscribed', async () => {
  desk.answerWith(({ method, path }) => {
    if (path.endsWith('/inbox')) return { json: inbox }
    if (path.endsWith('/probe')) return { json: { kind: 'answered', status: 200, milliseconds: 3 } }
    if (path.endsWith('/unsubscribe')) return { status: 404, json: { type: 'urn:debitdesk:not-found', status: 404 } }
    return { json: method === 'POST' ? { status: 201, reply: {} } : record }
  })
  render(page(record))
  fireEvent.click(screen.getByRole('button', { name: 'Change' }))
  const row = within(screen.getByRole('button', { name: 'Replace address' }).closest('li') ?? document.body)
  fireEvent.change(row.getByRole('textbox'), { target: { value: 'https://two.example' } })
  fireEvent.click(row.getByRole('button', { name: 'Replace address' }))
  await vi.waitFor(() => expect(document.activeElement?.textContent).toContain('https://two.example'))
  expect(document.activeElement?.textContent).not.toContain('https://one.example')
})

it('an address that could not even be tried was not subscribed, and nobody is in doubt about it', async () => {
  desk.answerWith(({ path }) => {
    if (path.endsWith('/inbox')) return { json: inbox }
    return path.endsWith('/probe') ? { status: 502, json: { type: 'upstream-broken', status: 502 } } : { json: [] }
  })
  render(page([]))
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /Callback address/u })
  await vi.waitFor(() => expect(field.matches(':disabled')).toBe(false))
  fireEvent.change(field, { target: { value: 'https://one.example' } })
  fireEvent.click(screen.getByRole('button', { name: 'Subscribe' }))
  await screen.findByRole('alert')
  expect(screen.queryByText(/don’t know yet/u)).toBeNull()
})

it('a signing secret, shown only once, stays until it is done with, while another address is subscribed', async () => {
  desk.answerWith(({ method, path, body }) => {
    if (path.endsWith('/inbox')) return { json: inbox }
    if (path.endsWith('/probe')) return { json: { kind: 'answered', status: 200, milliseconds: 3 } }
    if (method === 'GET') return { json: { webhooks: [] } }
    const { webhookUrl } = body as { webhookUrl: string }
    return { json: { status: 201, reply: { secret: `secret of ${webhookUrl}` } } }
  })
  render(page([]))
  const section = within(screen.getByRole('region', { name: 'Subscriptions' }))
  const secrets = () => [...document.querySelectorAll('output code')].map(({ textContent }) => textContent)
  for (const [count, address] of ['https://one.example', 'https://two.example'].entries()) {
    const field = await section.findByRole<HTMLInputElement>('textbox', { name: /Callback address/u })
    await vi.waitFor(() => expect(field.matches(':disabled')).toBe(false))
    fireEvent.change(field, { target: { value: address } })
    fireEvent.click(section.getByRole('button', { name: 'Subscribe' }))
    await vi.waitFor(() => expect(secrets()).toHaveLength(count + 1), { timeout: 5_000 })
  }
  expect(secrets()).toEqual(['secret of https://two.example', 'secret of https://one.example'])
  const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(asksToStay()).toBe(true)
  vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.resolve() } })
  for (const button of section.getAllByRole('button', { name: 'Copy signing secret' })) fireEvent.click(button)
  await vi.waitFor(() => expect(asksToStay()).toBe(false))
  vi.unstubAllGlobals()
  fireEvent.click(section.getAllByRole('button', { name: 'Done' })[0] ?? document.body)
  expect(secrets()).toEqual(['secret of https://one.example'])
  expect(document.activeElement?.textContent).toBe('Subscriptions')
})

it('a signing secret is removed once that is confirmed, and the next one is entered where the focus is then', async () => {
  let view: InboxView = { ...inbox, address: 'https://desk.example/hooks/x', signingSecret: 'unproven' }
  desk.answerWith(({ method, path }) => {
    if (method === 'DELETE' && path.endsWith('/inbox/signing-secret')) view = { ...view, signingSecret: 'none' }
    return { json: view }
  })
  render(page([], view))
  expect(document.body.textContent).toContain('Signatures aren’t checked yet')
  const button = screen.getByRole('button', { name: 'Remove signing secret' })
  const ask = async () => {
    button.focus()
    fireEvent.click(button)
    return within(await screen.findByRole('alertdialog'))
  }
  fireEvent.click((await ask()).getByRole('button', { name: 'Keep signing secret' }))
  await vi.waitFor(() => expect(document.activeElement).toBe(button))
  fireEvent.click((await ask()).getByRole('button', { name: 'Remove signing secret' }))
  const enter = await screen.findByRole('button', { name: 'Enter signing secret' })
  await vi.waitFor(() => expect(document.activeElement).toBe(enter))
  expect(screen.queryByRole('button', { name: 'Remove signing secret' })).toBe(null)
})

it('the address of the inbox is the one of now, also among the subscriptions: somebody may have renewed it', async () => {
  const [before, now] = ['https://desk.example/hooks/before', 'https://desk.example/hooks/now']
  const addresses = (own: string | null) => ({ json: { ...inbox, address: own } })
  desk.answerWith(({ path }) => (path.endsWith('/inbox') ? addresses(now) : { json: [{ webhookUrl: now }] }))
  render(page([{ webhookUrl: before }, { webhookUrl: now }], { ...inbox, address: before }))
  const rows = () => [...document.querySelectorAll('[data-webhook]')].map(({ textContent }) => textContent ?? '')
  const own = () => rows().map((text) => text.includes('Debitdesk inbox'))
  expect(own()).toEqual([true, false])
  await vi.waitFor(() => expect(own()).toEqual([false, true]))
})

it('a subscription that the provider disabled says so, and is enabled again', async () => {
  const [own, other] = ['https://desk.example/hooks/x', 'https://other.example/hooks']
  const view = { ...inbox, address: own }
  const disabled = { disabledAt: '2026-11-23T09:00:00Z' }
  const listed = [
    { webhookUrl: own, ...disabled, disabledBecause: 'failing', failingSince: '2026-11-20T09:00:00Z' },
    { webhookUrl: other, ...disabled, disabledBecause: 'gone' },
    { webhookUrl: 'https://third.example/hooks', failingSince: '2026-11-20T09:00:00Z' },
  ]
  const sent: unknown[] = []
  desk.answerWith(({ method, path, body }) => {
    if (method === 'POST') sent.push([path, body])
    if (path.includes('/inbox')) return { json: view }
    return { json: method === 'POST' ? { status: 200, reply: { webhookUrl: other } } : listed }
  })
  render(page(listed, view))
  const rows = [...document.querySelectorAll<HTMLElement>('[data-webhook]')]
  expect(rows.map(({ textContent }) => /Disabled since .+|Failing since [^.]+/u.exec(textContent)?.[0])).toEqual([
    expect.stringContaining('because deliveries failed'),
    expect.stringContaining('because the address said that it’s gone'),
    expect.stringContaining('Failing since'),
  ])
  expect(screen.getByRole('button', { name: 'Subscribe the inbox' })).toBeTruthy()
  const enable = screen.getAllByRole('button', { name: 'Enable again' })
  expect(enable).toHaveLength(2)
  const told = (address: string) => expect(document.activeElement?.textContent).toContain(`Subscribed: ${address}`)
  fireEvent.click(enable[0] ?? document.body)
  await vi.waitFor(() => told(own))
  fireEvent.click(enable[1] ?? document.body)
  await vi.waitFor(() => told(other))
  expect(sent).toEqual([
    [expect.stringContaining('/inbox/subscription'), {}],
    [expect.stringContaining('/Merchants/webhooks/subscribe'), { webhookUrl: other }],
  ])
})

it('a subscription that could not be enabled again says why', async () => {
  const listed = [{ webhookUrl: 'https://other.example/hooks', disabledAt: '2026-11-23T09:00:00Z' }]
  desk.answerWith(({ method, path }) => {
    if (path.endsWith('/inbox')) return { json: inbox }
    return method === 'POST' ? { status: 502, json: { type: 'upstream-broken', status: 502 } } : { json: listed }
  })
  render(page(listed))
  fireEvent.click(screen.getByRole('button', { name: 'Enable again' }))
  await screen.findByRole('alert')
  expect(screen.getByRole('button', { name: 'Enable again' })).toBeTruthy()
})

const message = (sequence: number): InboxMessage => {
  const of = { verdict: 'not-checked', headers: {}, body: '{}', times: 1 } as const
  return { ...of, sequence, receivedAt: '2026-11-20T00:00:00Z' }
}
const showAll = () => screen.getByRole('button', { name: 'Show all deliveries' })
const entries = () => [...document.querySelectorAll('[data-inbox] > li')]

it('all deliveries that are stored are shown on demand, also after a change of the inbox', async () => {
  const all = [3, 2, 1].map(message)
  let newest: InboxView = {
    ...inbox,
    address: 'https://desk.example/hooks/x',
    signingSecret: 'unproven',
    messages: all.slice(0, 2),
    isWhole: false,
  }
  desk.answerWith(({ method, path }) => {
    if (method === 'DELETE') newest = { ...newest, signingSecret: 'none' }
    if (path.endsWith('/inbox?all=1')) return { json: { ...newest, messages: all, isWhole: true } }
    return { json: path.includes('/inbox') ? newest : [] }
  })
  render(page([], newest))
  expect(entries()).toHaveLength(2)
  const lastShown = entries()[1]?.querySelector('summary')
  showAll().focus()
  fireEvent.click(showAll())
  // It keeps the focus until they are there.
  expect([document.activeElement, showAll().ariaDisabled]).toEqual([showAll(), 'true'])
  await vi.waitFor(() => expect(entries()).toHaveLength(3))
  expect(document.activeElement).toBe(lastShown)
  expect(screen.queryByRole('button', { name: 'Show all deliveries' })).toBe(null)
  expect(screen.getByText(/All 3 deliveries are shown/u).closest('output')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Remove signing secret' }))
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove signing secret' }))
  await screen.findByRole('button', { name: 'Enter signing secret' })
  expect(entries()).toHaveLength(3)
})

it('all deliveries are read once, while the newest are polled, and again where more have come than those show', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  let stored = [3, 2, 1]
  const viewOf = (sequences: number[]) => {
    return { ...inbox, messages: sequences.map(message), isWhole: sequences.length === stored.length }
  }
  desk.answerWith(({ path }) => {
    if (path.endsWith('/inbox?all=1')) return { json: viewOf(stored) }
    return { json: path.endsWith('/inbox') ? viewOf(stored.slice(0, 2)) : [] }
  })
  const countReads = (end: string) => desk.arrived.filter(({ path }) => path.endsWith(end)).length
  render(page([], viewOf([3, 2])))
  fireEvent.click(showAll())
  await vi.waitFor(() => expect(entries()).toHaveLength(3))
  const polls = countReads('/inbox')
  stored = [4, 3, 2, 1]
  await vi.advanceTimersByTimeAsync(10_000)
  await vi.waitFor(() => expect(entries()).toHaveLength(4))
  expect(countReads('/inbox') - polls).toBeGreaterThanOrEqual(2)
  expect(countReads('/inbox?all=1')).toBe(1)
  stored = [8, 7, 6, 5, 4, 3, 2, 1]
  await vi.advanceTimersByTimeAsync(10_000)
  await vi.waitFor(() => expect(entries()).toHaveLength(8))
  expect(countReads('/inbox?all=1')).toBe(2)
})

it('a delivery that is being read when the inbox is changed is shown', async () => {
  const view = { ...inbox, address: 'https://desk.example/hooks/x', signingSecret: 'unproven' } as const
  let arrived: InboxMessage[] = []
  desk.answerWith(({ method, path }) => {
    if (!path.includes('/inbox')) return { json: [] }
    if (method !== 'DELETE') return { json: { ...view, messages: arrived } }
    // It comes after the change: the poll that finds it is dropped.
    arrived = [message(1)]
    return { json: view }
  })
  render(page([], view))
  await vi.waitFor(() => expect(desk.arrived.some(({ path }) => path.endsWith('/inbox'))).toBe(true))
  fireEvent.click(screen.getByRole('button', { name: 'Remove signing secret' }))
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove signing secret' }))
  // At once, not with the next poll.
  await vi.waitFor(() => expect(entries()).toHaveLength(1))
})

it.each([
  ['subscribed', true, 'We’ll subscribe the new address'],
  ['not subscribed', false, 'doesn’t send changes to the old address'],
  ['of an unknown state', null, 'we’ll ask again first'],
])('what becomes of a subscription when an address %s is renewed is said', (_, isSubscribed, words) => {
  render(<RenewAddress hasSecret isSubscribed={isSubscribed} run={async () => undefined} onClose={() => undefined} />)
  expect(screen.getByRole('alertdialog').textContent).toContain(words)
})

it.each([
  ['all', false, 'doesn’t send changes to the old address'],
  ['not all', true, 'we’ll ask again first'],
])('an inbox that isn’t listed is said to be unsubscribed only where %s are listed', async (_, hasMore, words) => {
  const view = { ...inbox, address: 'https://desk.example/hooks/secret-of-the-inbox' }
  const results = { results: record, hasMore }
  desk.answerWith(({ path }) => ({ json: path.endsWith('/inbox') ? view : results }))
  render(page(results, view))
  fireEvent.click(screen.getByRole('button', { name: 'Renew address' }))
  expect((await screen.findByRole('alertdialog')).textContent).toContain(words)
  expect(screen.getByRole('button', { name: 'Subscribe the inbox', hidden: true })).toBeTruthy()
})

it('an inbox that is listed as it was before the desk moved is said to be subscribed anew', async () => {
  const view = { ...inbox, address: 'https://desk.example/hooks/secret-of-the-inbox' }
  const listed = [{ webhookUrl: 'https://old.example/hooks/secret-of-the-inbox' }]
  desk.answerWith(({ path }) => ({ json: path.endsWith('/inbox') ? view : listed }))
  render(page(listed, view))
  fireEvent.click(screen.getByRole('button', { name: 'Renew address' }))
  expect((await screen.findByRole('alertdialog')).textContent).toContain('We’ll subscribe the new address')
  expect(screen.getByRole('button', { name: 'Subscribe the inbox', hidden: true })).toBeTruthy()
})

it.each([true, false])('what becomes of the signing secret is said where one is set: %s', (hasSecret) => {
  render(<RenewAddress hasSecret={hasSecret} isSubscribed run={async () => undefined} onClose={() => undefined} />)
  expect(screen.getByRole('alertdialog').textContent?.includes('The signing secret stays.')).toBe(hasSecret)
})

it('a delivery is named with the reference of its record, and its opened line leads there', () => {
  desk.answerWith(() => ({ json: inbox }))
  const data = { id: 'p1', reference: 'INV-1' }
  const body = JSON.stringify({
    objectType: 'payment',
    eventType: 'cancelled',
    timeStamp: '2026-11-20T10:00:00Z',
    data,
  })
  const message = {
    sequence: 1,
    receivedAt: '2026-11-20T10:00:01Z',
    verdict: 'valid',
    headers: {},
    body,
    times: 1,
  } as const
  render(page([], { ...inbox, messages: [message] }))
  const entry = document.querySelector('[data-inbox] li')
  expect(entry?.textContent).toContain('Payment cancelledINV-1')
  const details = entry?.querySelector('details')
  if (!details) throw new Error('no delivery')
  details.open = true
  fireEvent(details, new Event('toggle'))
  expect(screen.getByRole('link', { name: 'Open payment' }).getAttribute('href')).toBe('/payments/p1')
})

it('deliveries of the same kind are told apart by their reference, id or number, and their time to the second', async () => {
  const message = { receivedAt: '2026-11-29T19:53:12Z', verdict: 'not-checked', headers: {}, times: 1 } as const
  const write = (sequence: number, event: object) => ({ ...message, sequence, body: JSON.stringify(event) })
  const event = { objectType: 'Payment', eventType: 'Created' }
  const id = '3f2a8c1e-5a0b-4c57-9a55-0f3c1a2b3c4d'
  const messages = [
    write(3, { ...event, data: { id, reference: 'INV-7' } }),
    write(2, { ...event, data: { id } }),
    write(1, event),
  ]
  desk.answerWith(({ path }) => ({ json: path.endsWith('/inbox') ? { ...inbox, messages } : [] }))
  render(page([], { ...inbox, messages }))
  const lines = () => [...document.querySelectorAll('[data-verdict] summary')].map((line) => line.textContent)
  expect(lines()).toEqual([
    expect.stringContaining('INV-7'),
    expect.stringContaining('3f2a8c1e…'),
    expect.stringContaining('#1'),
  ])
  expect(lines()[2]).toContain('19:53:12')
})
