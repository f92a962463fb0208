// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { setDeskForEach } from '@/lib/client/testing/page'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { QueryProvider } from '../layout/query-provider'
import { FullStory } from './full-story'

const desk = setDeskForEach()
const events = Array.from({ length: 50 }, (_, sequence) => ({
  sequence,
  receivedAt: '2026-11-27T10:00:00Z',
  eventType: 'settled',
  verdict: 'valid',
  times: 1,
}))

/** Shows the story of a payment with these webhooks and no activity. */
function show(json: { events: readonly object[]; isWhole: boolean }): void {
  desk.answerWith(({ path }) => ({
    json: path.includes('/inbox/events') ? json : { results: [], unreadable: 0, continuation: { kind: 'end' } },
  }))
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <FullStory paymentId="p1" milestones={[]} />
      </QueryProvider>
    </AppConfigProvider>,
  )
}

it.each([
  [true, 0],
  [false, 1],
])('says that older webhooks are missing where those shown are all: %s', async (isWhole, said) => {
  show({ events, isWhole })
  await screen.findAllByText('Webhook: Payment settled')
  expect(screen.queryAllByText('Only the newest 50 webhooks are shown.')).toHaveLength(said)
})

it('names an event that is unknown as it came', async () => {
  const unknown = ['Held Back', null].map((eventType, sequence) => ({ ...events[0], sequence, eventType }))
  show({ events: unknown, isWhole: true })
  await screen.findByText('Webhook: Held Back')
  expect(screen.getAllByText(/^Webhook:/u).map(({ textContent }) => textContent.trim())).toEqual([
    'Webhook: Held Back',
    'Webhook:',
  ])
})
