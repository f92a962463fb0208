import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { describe, expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { DeskReply } from '@/lib/client/testing/desk-server'
import type { KnownAgreement } from '@/lib/domain/agreements'
import { AgreementLookup, KnownAgreementsTable } from './known-agreements'

const agreement: KnownAgreement = {
  agreementId: 'am_1',
  handle: null,
  scheme: 'nets-bs',
  status: 'active',
  test: false,
  source: 'merchant',
  rememberedBy: 'desk',
  readAt: '2026-11-29T17:05:00.000Z',
}

/** The lookup beside a list of one agreement; `push` is where it went. */
function openLookup({ merchant = null, sent = null }: { merchant?: string | null; sent?: string | null } = {}) {
  const push = vi.fn<typeof router.push>()
  render(
    <AppRouterContext value={{ ...router, push }}>
      <AppConfigProvider config={{ ...facts, merchant }}>
        <QueryProvider>
          <AgreementLookup agreements={[{ ...agreement, handle: 'nets' }]} sent={sent} />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const field = screen.getByRole<HTMLInputElement>('textbox')
  const open = (words: string) => {
    fireEvent.change(field, { target: { value: words } })
    fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  }
  return { push, field, open }
}

/** A problem record of our server. */
const problem = (status: number, code: string) => ({
  status,
  json: { type: `about:blank#${code}`, title: 'Told by the server', status },
})

describe('the lookup', () => {
  const desk = setDeskForEach()

  it.each([['m-2'], [null]])('submitted before the page is ready, names the merchant: %s', (merchant) => {
    const { field } = openLookup({ merchant })
    expect(field.form && new FormData(field.form).get('merchant')).toBe(merchant)
  })

  it('opens the page of what the provider has', async () => {
    desk.answerWith(() => ({ json: { id: 'a/1' } }))
    const { push, open } = openLookup()
    open(' a/1 ')
    await vi.waitFor(() => expect(push.mock.calls).toEqual([['/agreements/a%2F1']]))
    expect(desk.arrived.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/api/service/Merchants/agreements/a%2F1'],
    ])
  })

  it.each([['am_1'], ['nets']])('opens one of the list without asking: %s', (known) => {
    const { push, open } = openLookup()
    open(known)
    expect(push.mock.calls).toEqual([[`/agreements/${known}`]])
    expect(desk.arrived).toEqual([])
  })

  it.each([
    [404, 'not-found', 'The provider has no agreement with this id or handle.'],
    [400, 'bad-request', 'This isn’t an id or a handle that the provider can be asked for.'],
  ])('says at the field that there is none, until it is changed: %i', async (status, code, why) => {
    desk.answerWith(() => problem(status, code))
    const { push, field, open } = openLookup()
    open('zzz')
    expect(await screen.findByRole('textbox', { description: why })).toHaveProperty('value', 'zzz')
    expect(screen.getByText(why).parentElement).toBe(screen.getByRole('status'))
    fireEvent.change(field, { target: { value: 'zzzy' } })
    await vi.waitFor(() => expect(screen.queryByText(why)).toBeNull())
    expect(push).not.toHaveBeenCalled()
  })

  it.each([
    [422, 'upstream-refused', 'Told by the server'],
    [429, 'too-many-attempts', 'Told by the server'],
    [504, 'upstream-timeout', 'The provider'],
  ])('stays, with what was typed and the problem, where it is not known: %i', async (status, code, text) => {
    desk.answerWith(() => problem(status, code))
    const { push, field, open } = openLookup()
    open('zzz')
    expect((await screen.findByRole('alert')).textContent).toContain(text)
    expect(field.value).toBe('zzz')
    fireEvent.change(field, { target: { value: 'zzzy' } })
    await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(push).not.toHaveBeenCalled()
  })

  it('goes nowhere for what is no longer in the field', async () => {
    let answer = (_reply: DeskReply) => {}
    desk.answerWith(() => new Promise((resolve) => (answer = resolve)))
    const { push, field, open } = openLookup()
    open('zzz')
    await vi.waitFor(() => expect(desk.arrived).toHaveLength(1))
    fireEvent.change(field, { target: { value: 'zzzy' } })
    answer({ json: { id: 'zzz' } })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(push).not.toHaveBeenCalled()
  })

  it.each([
    ['.', 'This can’t be used in an address. Use the id.'],
    ['new', 'This can’t be used in an address. Use the id.'],
    ['', 'Enter an id or a handle.'],
  ])('explains what names no page, also where it was sent before the page was ready: %j', (words, why) => {
    const { push, open } = openLookup()
    open(words)
    expect(screen.getByRole('textbox', { description: why })).toHaveProperty('value', words)
    expect([push.mock.calls, desk.arrived]).toEqual([[], []])
    cleanup()
    openLookup({ sent: words })
    expect(screen.getByRole('textbox', { description: why })).toHaveProperty('value', words)
  })
})

it('a plain click anywhere in a row follows its link, and on the way back the row has the focus', () => {
  const followed = vi.fn<(href: string | null) => void>()
  const table = (
    <AppConfigProvider config={{ ...facts, connectionId: null }}>
      <KnownAgreementsTable
        agreements={[agreement, { ...agreement, agreementId: 'am_2' }]}
        merchant="read"
        loadId="load-1"
      />
    </AppConfigProvider>
  )
  const { container } = render(table)
  container.addEventListener('click', (event) => {
    event.preventDefault()
    if (event.target instanceof HTMLAnchorElement) followed(event.target.getAttribute('href'))
  })
  const [, cell] = screen.getAllByText('Named in the merchant record')
  if (!cell) throw new Error('no second row')
  fireEvent.click(cell, { ctrlKey: true })
  expect(followed).not.toHaveBeenCalled()
  fireEvent.click(cell)
  expect(followed.mock.calls).toEqual([['/agreements/am_2']])
  cleanup()
  render(table)
  expect(document.activeElement?.textContent).toBe('am_2')
})

it.each([
  ['read', 'No known agreements yet', 'The merchant record couldn’t be read'],
  ['unreadable', 'The merchant record couldn’t be read', 'No known agreements yet'],
] as const)('says that there is none only where that is known: the record is %s', (merchant, said, unsaid) => {
  render(
    <AppRouterContext value={router}>
      <SearchParamsContext value={new URLSearchParams()}>
        <KnownAgreementsTable agreements={[]} merchant={merchant} loadId="load-1" />
      </SearchParamsContext>
    </AppRouterContext>,
  )
  expect([screen.queryByText(said), screen.queryByText(unsaid)].map(Boolean)).toEqual([true, false])
})
