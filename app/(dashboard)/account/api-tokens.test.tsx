import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { type DeskServer, startDeskServer } from '@/lib/client/testing/desk-server'
import { router } from '@/lib/client/testing/page'
import type { ApiTokenView, OwnApiTokens } from '@/lib/domain/api-tokens'
import { ApiTokens } from './api-tokens'

let desk: DeskServer
let tokens: ApiTokenView[]

const makeToken = (id: string): ApiTokenView => ({
  id,
  name: `Token ${id}`,
  prefix: 'dd_',
  role: 'viewer',
  email: 'ann@debitdesk.example',
  state: 'valid',
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2027-11-20T10:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
  revokedBy: null,
})
const list = (): OwnApiTokens => ({ tokens, roles: ['viewer'], lifetimes: [30], isImpossible: false })

beforeEach(async () => {
  tokens = [makeToken('1')]
  desk = await startDeskServer()
  desk.answerWith(({ method, path }) => {
    if (method === 'DELETE')
      tokens = tokens.map((one) => (path.endsWith(`/${one.id}`) ? { ...one, state: 'revoked' } : one))
    if (method !== 'POST') return { json: list() }
    const token = makeToken(String(tokens.length + 1))
    tokens = [...tokens, token]
    return { json: { text: `secret-${token.id}`, token } }
  })
})
afterEach(async () => {
  cleanup()
  await desk.close()
})

async function make(): Promise<void> {
  const text = `secret-${tokens.length + 1}`
  fireEvent.click(screen.getByRole('button', { name: 'Create token' }))
  fireEvent.submit(screen.getByRole('button', { name: 'Create token' }))
  await vi.waitFor(() => expect(screen.getByText(text)).toBeTruthy())
}

async function revoke(id: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: `Revoke Token ${id}` }))
  const dialog = await screen.findByRole('alertdialog')
  fireEvent.click(within(dialog).getByRole('button', { name: /revoke/iu }))
  await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
}

it('a token whose reply was lost is in the list, and not advised to be made again as if nothing had happened', async () => {
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <ApiTokens initialTokens={list()} />
      </QueryProvider>
    </AppConfigProvider>,
  )
  desk.answerWith(({ method }) => {
    if (method !== 'POST') return { json: list() }
    tokens = [...tokens, makeToken('2')]
    return { hangUp: true }
  })
  fireEvent.click(screen.getByRole('button', { name: 'Create token' }))
  fireEvent.change(screen.getByLabelText(/^Name/u), { target: { value: 'Nightly' } })
  fireEvent.submit(screen.getByRole('button', { name: 'Create token' }))
  await screen.findByText(/^We don’t know yet whether the token was created/u)
  expect(await screen.findByText('Token 2')).toBeTruthy()
  expect(screen.queryByText(/try again/u)).toBeNull()
})

it('what is shown only once stays until it is done with, whatever is made or revoked beside it', async () => {
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <ApiTokens initialTokens={list()} />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
  await make()
  await revoke('1')
  await make()
  const secrets = () => [...document.querySelectorAll('[data-token-text]')].map(({ textContent }) => textContent)
  expect(secrets()).toEqual(['secret-3', 'secret-2'])
  fireEvent.click(screen.getAllByRole('button', { name: 'I’ve copied it' })[0] ?? document.body)
  expect(secrets()).toEqual(['secret-2'])
  const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(asksToStay()).toBe(true)
  await revoke('2')
  expect(secrets()).toEqual([])
  expect(asksToStay()).toBe(false)
})

it('one that was revoked since the page was made, as after Back, is shown as that', async () => {
  const initialTokens = list()
  tokens = [{ ...makeToken('1'), state: 'revoked' }]
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <ApiTokens initialTokens={initialTokens} />
      </QueryProvider>
    </AppConfigProvider>,
  )
  expect(screen.getByRole('button', { name: 'Revoke Token 1' })).toBeTruthy()
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Revoke Token 1' })).toBeNull())
})
