import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startDeskServer, type DeskServer } from '@/lib/client/testing/desk-server'
import type { ActivityView } from '@/lib/domain/activity/activity'
import type { Page } from '@/lib/api-contract/pagination'
import { clearListPlace } from '../data-table/list-place'
import { layOut } from '../data-table/testing/lay-out'
import { pass, waitUntil } from '../infinite-list/testing/open-list'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { QueryProvider } from '../layout/query-provider'
import { readNewRows } from '../list-tools/new-rows'
import { ActivityRows } from './activity-rows'
import { Timeline } from './timeline'
import { ActivityEntry, useActivity } from './activity-log'

let desk: DeskServer
let count = 0

function makeEntry(sequence: number): ActivityView {
  return {
    id: String(sequence),
    at: '2026-11-24T10:00:00.000Z',
    actor: 'support@debitdesk.example',
    action: 'payment.cancel',
    objectKind: 'payment',
    objectId: 'p1',
    objectName: 'INV-1',
    outcome: 'done',
    details: { reason: `Reason ${sequence}` },
    hash: 'abc',
  }
}

/** A log of `count` entries, newest first, in pages of 100. */
function serve(path: string): Page<ActivityView> {
  const after = new URL(path, 'http://desk').searchParams.get('after')
  const newest = after === null ? count : Number(after) - 1
  const length = Math.min(100, newest)
  const results = Array.from({ length }, (_, at) => makeEntry(newest - at))
  const last = newest - length + 1
  return { results, unreadable: 0, continuation: last > 1 ? { kind: 'more', after: String(last) } : { kind: 'end' } }
}

const show = (page: ReactNode) =>
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <AppConfigProvider config={facts}>
        <QueryProvider>{page}</QueryProvider>
      </AppConfigProvider>
    </SearchParamsContext>,
  )

const ids = () => [...document.querySelectorAll<HTMLElement>('[data-row-id]')].map(({ dataset }) => dataset.rowId)
const asked = () => desk.arrived.map(({ path }) => new URL(path, 'http://desk').searchParams)

beforeEach(async () => {
  layOut()
  desk = await startDeskServer()
  desk.answerWith(({ path }) => ({ json: serve(path) }))
})

afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await desk.close()
})

describe('the timeline of a record', () => {
  it('asks for what was done to it by its id and its handle, newest first, and for more when a person says so', async () => {
    count = 150
    show(<Timeline kind="payment" objects={['p1', 'pay_1', 'x'.repeat(201)]} />)
    const more = await screen.findByRole('button', { name: /load more/iu }, { timeout: 10_000 })
    expect([ids().length, ids()[0]]).toEqual([100, '150'])
    expect(asked()[0]?.get('kind')).toBe('payment')
    expect(asked()[0]?.getAll('object')).toEqual(['p1', 'pay_1'])
    await pass(30)
    expect(asked()).toHaveLength(1)
    more.focus()
    fireEvent.click(more)
    expect(document.activeElement).toBe(more)
    await waitUntil(() => ids().length === 150)
    // The button is gone.
    expect(document.activeElement).toBe(screen.getByRole('list'))
    expect([ids().at(-1), screen.queryByRole('button', { name: /load more/iu })]).toEqual(['1', null])
  })

  it('says that nothing was done, once that is known', async () => {
    count = 0
    const { container } = show(<Timeline kind="payment" objects={['p1']} />)
    const loading = container.textContent
    await waitUntil(() => container.textContent !== loading)
    expect(screen.queryByRole('list')).toBeNull()
    expect(container.textContent).toContain('No activity')
  })

  it('says why it could not be read, and reads it when a person says so', async () => {
    count = 3
    desk.answerWith(() => ({
      status: 502,
      json: { type: 'about:blank#upstream-broken', title: 'Broken', status: 502 },
    }))
    show(<Timeline kind="payment" objects={['p1']} />)
    const retry = await screen.findByRole('button', { name: /retry/iu }, { timeout: 10_000 })
    desk.answerWith(({ path }) => ({ json: serve(path) }))
    fireEvent.click(retry)
    await waitUntil(() => ids().length > 0)
    expect(ids()).toEqual(['3', '2', '1'])
  })
})

function Log() {
  return <ActivityRows list={useActivity('kind=payment', 'visit')} name="Activity" loadId="visit" />
}

describe('the log', () => {
  it('draws what is in sight of it, says of how many, and reads 200 entries ahead', async () => {
    count = 1_000
    show(<Log />)
    await waitUntil(() => asked().length === 3)
    await pass(50)
    expect(asked().map((query) => [query.get('after'), query.get('limit'), query.get('kind')])).toEqual([
      [null, '100', 'payment'],
      ['901', '100', 'payment'],
      ['801', '100', 'payment'],
    ])
    expect(ids()[0]).toBe('1000')
    expect(ids().length).toBeLessThan(60)
    const [entry] = within(screen.getByRole('list', { name: 'Activity' })).getAllByRole('listitem')
    expect([entry?.getAttribute('aria-posinset'), entry?.getAttribute('aria-setsize')]).toEqual(['1', '300'])
  })
})

describe('the focus in the log', () => {
  const focusedId = () => document.activeElement?.closest<HTMLElement>('[data-row-id]')?.dataset.rowId

  /** A log of 300 entries with the focus on its first row. */
  async function openLog(): Promise<HTMLElement> {
    count = 300
    clearListPlace('visit')
    const { container } = show(<Log />)
    await waitUntil(() => asked().length === 3)
    await waitUntil(() => document.querySelector('[aria-setsize="300"]') !== null)
    container.querySelector('summary')?.focus()
    expect(focusedId()).toBe('300')
    return container
  }

  it('stays on its row, however far the log is scrolled', async () => {
    const container = await openLog()
    container.querySelector('[data-scroller]')?.scrollTo({ top: 9_000 })
    await waitUntil(() => !ids().includes('290'))
    expect(focusedId()).toBe('300')
    // What is between the row and those in sight keeps its height.
    const heights = [...container.querySelectorAll('li')].map(
      (row) => Number.parseInt(row.style.marginTop || '0', 10) + 57,
    )
    const below = Number.parseInt(container.querySelector('ol')?.style.paddingBottom ?? '', 10)
    expect(heights.reduce((sum, height) => sum + height, below)).toBe(300 * 57)
  })

  it.each([
    [['End'], '1'],
    [['End', 'Home'], '300'],
    [['j', 'ArrowDown'], '298'],
    [['j', 'j', 'k', 'ArrowUp'], '300'],
    [['k'], '300'],
    [['End', 'j'], '1'],
  ])('moves by the keys of lists: %j', async (keys, id) => {
    await openLog()
    for (const key of keys) {
      fireEvent.keyDown(document.activeElement ?? document.body, { key })
      await pass(20)
    }
    expect(focusedId()).toBe(id)
  })

  it('is in sight on a page that scrolls', async () => {
    await openLog()
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView')
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'j' })
    await pass(20)
    expect(focusedId()).toBe('299')
    expect(shown.mock.contexts).toEqual([document.activeElement])
  })

  it('is on its row again for who leaves the log and comes back, unless something else has it', async () => {
    count = 300
    clearListPlace('visit')
    const page = (log: ReactNode, other: ReactNode = null) => (
      <SearchParamsContext value={new URLSearchParams()}>
        <AppConfigProvider config={facts}>
          <QueryProvider>
            {other}
            {log}
          </QueryProvider>
        </AppConfigProvider>
      </SearchParamsContext>
    )
    const { container, rerender } = render(page(<Log />))
    await waitUntil(() => document.querySelector('[aria-setsize="300"]') !== null)
    container.querySelector('summary')?.focus()
    for (const key of ['j', 'j']) {
      fireEvent.keyDown(document.activeElement ?? document.body, { key })
      await pass(20)
    }
    rerender(page(null))
    expect(document.activeElement).toBe(document.body)
    rerender(page(<Log />))
    expect(focusedId()).toBe('298')
    rerender(page(null, <button>Other</button>))
    screen.getByRole('button', { name: 'Other' }).focus()
    rerender(page(<Log />, <button>Other</button>))
    expect(document.activeElement?.textContent).toBe('Other')
  })

  it('leaves the keys to what stands in an opened entry', async () => {
    const container = await openLog()
    const [entry] = container.querySelectorAll('details')
    if (!entry) throw new Error('no entry')
    entry.open = true
    fireEvent(entry, new Event('toggle'))
    const inside = await waitFor(() => {
      const more = entry.querySelector<HTMLElement>('.activity-more')
      if (!more) throw new Error('not opened')
      return more
    })
    inside.tabIndex = 0
    inside.focus()
    for (const key of ['j', 'End', 'ArrowDown']) {
      expect(fireEvent.keyDown(inside, { key }), `${key} scrolls as usual`).toBe(true)
      await pass(20)
    }
    expect(document.activeElement).toBe(inside)
  })
})

/** What an opened entry shows: in plain, and folded away. */
async function readEntry(entry: Partial<ActivityView>) {
  const { container } = render(
    <AppConfigProvider config={facts}>
      <ActivityEntry entry={{ ...makeEntry(1), ...entry }} />
    </AppConfigProvider>,
  )
  const [opened] = container.querySelectorAll('details')
  if (opened) opened.open = true
  fireEvent(opened ?? container, new Event('toggle'))
  await waitUntil(() => container.querySelector('.activity-more') !== null)
  const technical = container.querySelector<HTMLDetailsElement>('.activity-more details')
  expect(technical?.open).toBe(false)
  return [
    container.querySelector('.activity-more > dl')?.textContent?.replace('Time24 Nov 2026, 10:00:00 UTC', '') ?? '',
    technical?.querySelector('dl')?.textContent,
  ] as const
}

describe('an opened entry', () => {
  it('names its usual fields, and has what is technical folded away', async () => {
    const details = {
      asked: { fields: ['name', 'postalCode', 'metaData'] },
      answer: { status: 201, handle: 'cu_1' },
      unforeseen: 'kept',
      outcome: 'done',
      request: { traceId: 't1' },
    }
    const [plain, technical] = await readEntry({ details })
    expect(plain).toBe('RequestedFieldsName, Postal code, metaDataProvider’s replyHandlecu_1unforeseenkept')
    expect(technical).toBe('entryrow1kindpaymentobjectp1hashabcanswerstatus201outcomedonerequesttraceIdt1')
  })

  it('names no reply where none came', async () => {
    const details = { asked: { fields: ['name'] }, answer: { code: 'upstream-refused', detail: 'Taken.' } }
    expect((await readEntry({ details }))[0]).toBe('RequestedFieldsNameResultExplanationTaken.')
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['export.end', { state: 'stopped', reason: 'list-moved' }, 'StateStoppedReasonlist-moved'],
    ['import.hold', { fileName: 'a.csv', code: 'forbidden' }, 'Filea.csv'],
    ['access.denied', { code: 'forbidden', method: 'GET', path: '/api' }, ''],
    ['cancellation.not-cancelled', { reason: 'stopped' }, ''],
    [
      'note.added',
      { text: 'Call', noteId: 'n1', dueDay: '2026-12-01', assignee: 'a@b.example' },
      'TextCallDue1 Dec 2026Assigned toa@b.example',
    ],
    ['setting.changed', { hashes: { A: '1' }, changed: ['A'], settings: { A: 'x' } }, 'ChangedA'],
  ])('says what its line does not: %s', async (action, details, plain) => {
    expect((await readEntry({ action, details }))[0]).toBe(plain)
  })

  it('keeps the hash of a restored backup beside its own', async () => {
    const [, technical] = await readEntry({ action: 'setting.restored', details: { hash: 'head', sequence: 7 } })
    expect(technical).toBe('entryrow1kindpaymentobjectp1hashabchashheadsequence7')
  })
})

describe('the link of an entry', () => {
  async function openEntry(role: string, about: Partial<ActivityView>): Promise<(string | null)[]> {
    const { container } = render(
      <AppConfigProvider config={{ ...facts, role }}>
        <ActivityEntry entry={{ ...makeEntry(1), objectId: 'none', ...about }} />
      </AppConfigProvider>,
    )
    const [entry] = container.querySelectorAll('details')
    if (entry) entry.open = true
    fireEvent(entry ?? container, new Event('toggle'))
    await waitUntil(() => container.querySelector('.activity-more') !== null)
    return within(container)
      .queryAllByRole('link')
      .map((link) => link.getAttribute('href'))
  }

  it.each([
    ['admin', 'user', ['/team']],
    ['support', 'user', []],
    ['admin', 'import', ['/customers/import']],
    ['viewer', 'import', []],
    ['viewer', 'webhook', ['/webhooks']],
    ['auditor', 'setting', []],
  ])('is there for whom its page is: %s, %s', async (role, kind, links) => {
    expect(await openEntry(role, { objectKind: kind })).toEqual(links)
  })

  it.each([
    ['setting.inbox-address', '/webhooks'],
    ['setting.signing-secret-proven', '/webhooks'],
    ['setting.factor-rule', '/team'],
    ['setting.approval-rule', '/merchant'],
    ['merchant.changed', '/merchant'],
  ])('leads to where the setting is: %s', async (action, link) => {
    expect(await openEntry('admin', { action, objectKind: 'setting', objectId: 'default' })).toEqual([link])
  })

  it('is not there for a saved view', async () => {
    expect(await openEntry('admin', { action: 'view.save', objectKind: 'setting', objectId: 'v1' })).toEqual([])
  })

  it('leads to the customer of an import’s line, too', async () => {
    const found = { action: 'import.found', objectKind: 'import', objectId: 'i1', details: { customerId: 'c1' } }
    expect(await openEntry('admin', found)).toEqual(['/customers/import', '/customers/c1'])
    expect(await openEntry('support', found)).toEqual(['/customers/c1'])
  })
})

it('what nobody asked for is read without extending the session', async () => {
  count = 3
  function Reader() {
    const list = useActivity('kind=payment', 'quiet')
    return <button onClick={() => void readNewRows(list, true)}>Read {list.size}</button>
  }
  show(<Reader />)
  fireEvent.click(await screen.findByRole('button', { name: 'Read 3' }))
  await waitUntil(() => desk.arrived.length === 2)
  expect(desk.arrived.map(({ headers }) => headers['x-debitdesk-quiet'])).toEqual([undefined, '1'])
})
