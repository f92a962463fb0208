import { useQuery } from '@tanstack/react-query'
import { act, fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { callDesk } from '@/lib/client/api-client'
import { closePrompt, useIdentityPrompt } from '@/lib/client/identity-prompt'
import { setDeskForEach } from '@/lib/client/testing/page'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import type { SecondFactors } from '@/lib/domain/second-factor'
import { SecondFactor } from './second-factor'

const desk = setDeskForEach()

const app = { kind: 'totp', name: 'Phone', createdAt: '2026-11-20T10:00:00.000Z', lastUsedAt: null } as const
const factors: SecondFactors = {
  email: 'ann@debitdesk.example',
  due: null,
  authenticators: [{ ...app, authenticatorId: 'a1' }],
  recoveryCodes: 2,
  isRequired: false,
  allowsPasskeys: false,
}

/** What the desk asks of a device, and what that answers. */
const creation = { challenge: 'AA', user: { id: 'AA', name: 'ann', displayName: 'Ann' }, pubKeyCredParams: [] }
const credential = {
  id: 'AA',
  rawId: new ArrayBuffer(1),
  type: 'public-key',
  getClientExtensionResults: () => ({}),
  response: { attestationObject: new ArrayBuffer(1), clientDataJSON: new ArrayBuffer(1) },
}

it('a passkey that is not added after all leaves the page as it was, with the code of an app', async () => {
  desk.answerWith(({ method, path }) => {
    if (path.endsWith('/totp') && method === 'POST')
      return { json: { authenticatorId: 'a2', secret: 'SECRET', qrCode: { size: 1, path: 'M0 0h1v1z' } } }
    if (path.endsWith('/totp')) return { status: 503, json: { type: 'internal', title: 'It failed', status: 503 } }
    return { json: { ...factors, allowsPasskeys: true } }
  })
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <SecondFactor initialFactors={{ ...factors, allowsPasskeys: true }} hasPassword />
      </QueryProvider>
    </AppConfigProvider>,
  )
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
  press('Add authenticator app')
  const app = await screen.findByRole('form', { name: 'Add authenticator app' })
  expect(focused()).toBe('Add authenticator app')
  press('Add passkey')
  const passkey = within(screen.getByRole('form', { name: 'Add passkey' }))
  expect(document.activeElement).toBe(passkey.getByRole('textbox', { name: 'Name' }))
  expect(screen.getByText('SECRET')).toBeTruthy()
  fireEvent.click(passkey.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(focused()).toBe('Add passkey'))
  expect(screen.queryByRole('form', { name: 'Add passkey' })).toBeNull()
  fireEvent.submit(app)
  await screen.findByText('Something went wrong in Debitdesk')
  press('Cancel')
  await waitFor(() => expect(focused()).toBe('Add authenticator app'))
  expect(screen.queryByText('Something went wrong in Debitdesk')).toBeNull()
})

it('an app whose setup is over is set up anew, with another code to scan', async () => {
  const isOver = { type: 'urn:debitdesk:conflict', title: 'x', status: 409, detail: 'Start over.' }
  desk.answerWith(({ method }) => {
    if (method === 'PUT') return { status: 409, json: isOver }
    if (method === 'GET') return { json: factors }
    return { json: { authenticatorId: 'a2', secret: 'SECRET', qrCode: { size: 1, path: 'M0 0h1v1z' } } }
  })
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <SecondFactor initialFactors={factors} hasPassword />
      </QueryProvider>
    </AppConfigProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Add authenticator app' }))
  fireEvent.submit(await screen.findByRole('form', { name: 'Add authenticator app' }))
  expect(await screen.findByText('Start over.')).toBeTruthy()
  expect(screen.queryByText('SECRET')).toBeNull()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Add authenticator app'))
})

it('a passkey whose form was left is not added, although the device confirms it later', async () => {
  const device = new EventTarget()
  const signals: (AbortSignal | undefined)[] = []
  async function create({ signal }: CredentialCreationOptions): Promise<object> {
    signals.push(signal)
    await new Promise((resolve) => device.addEventListener('confirm', resolve))
    return credential
  }
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  Object.defineProperty(navigator, 'credentials', { value: { create }, configurable: true })
  desk.answerWith(({ method, path }) => {
    if (path.endsWith('/passkeys') && method === 'POST') return { json: creation }
    return { json: { ...factors, allowsPasskeys: true } }
  })
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <SecondFactor initialFactors={{ ...factors, allowsPasskeys: true }} hasPassword />
      </QueryProvider>
    </AppConfigProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Add passkey' }))
  fireEvent.submit(screen.getByRole('form', { name: 'Add passkey' }))
  await waitFor(() => expect(signals).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(signals[0]?.aborted).toBe(true)
  device.dispatchEvent(new Event('confirm'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(desk.arrived.filter(({ method }) => method === 'PUT')).toEqual([])
})

it('a passkey that the device confirms after the proof has grown old is added once that is renewed', async () => {
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  Object.defineProperty(navigator, 'credentials', { value: { create: async () => credential }, configurable: true })
  const added = () => desk.arrived.filter(({ method }) => method === 'PUT')
  const stepUp = { type: 'urn:debitdesk:step-up', title: 'x', status: 403, proof: 'factor' }
  desk.answerWith(({ method, path }) => {
    if (method === 'PUT' && added().length === 1) return { status: 403, json: stepUp }
    if (method === 'PUT') return { json: { authenticatorId: 'a2', recoveryCodes: null } }
    if (path.endsWith('/passkeys')) return { json: creation }
    return { json: { ...factors, allowsPasskeys: true } }
  })
  const { result: question } = renderHook(() => useIdentityPrompt())
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <SecondFactor initialFactors={{ ...factors, allowsPasskeys: true }} hasPassword />
      </QueryProvider>
    </AppConfigProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Add passkey' }))
  fireEvent.submit(screen.getByRole('form', { name: 'Add passkey' }))
  await waitFor(() => expect(question.current?.kind).toBe('step-up'))
  act(() => closePrompt(true))
  await waitFor(() => expect(added()).toHaveLength(2))
  expect(added()[1]?.body).toEqual(added()[0]?.body)
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Add passkey' })).toBeNull())
})

it('recovery codes, shown only once, stay until they are saved, while another app is added', async () => {
  let made = 0
  desk.answerWith(({ method, path }) => {
    if (path.endsWith('/recovery-codes')) {
      made += 1
      return { json: { recoveryCodes: made === 1 ? ['code-0', 'code-9'] : ['code-1', 'code-2'] } }
    }
    if (method === 'POST')
      return { json: { authenticatorId: 'a2', secret: 'SECRET', qrCode: { size: 1, path: 'M0 0h1v1z' } } }
    if (method === 'PUT') return { json: { authenticatorId: 'a2', recoveryCodes: null } }
    const second = { ...app, name: 'Tablet', authenticatorId: 'a2' }
    const isAdded = desk.arrived.some((one) => one.method === 'PUT')
    return {
      json: { ...factors, authenticators: isAdded ? [...factors.authenticators, second] : factors.authenticators },
    }
  })
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <SecondFactor initialFactors={factors} hasPassword />
      </QueryProvider>
    </AppConfigProvider>,
  )
  for (const code of ['code-0', 'code-1']) {
    const create = screen.getByRole('button', { name: 'Create new recovery codes' })
    await waitFor(() => expect(create.getAttribute('aria-disabled')).toBeNull())
    create.focus()
    fireEvent.click(create)
    fireEvent.click(await screen.findByRole('button', { name: 'Replace codes' }))
    await screen.findByText(code)
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Recovery codes')
  }
  expect(screen.queryByText('code-0')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Add authenticator app' }))
  fireEvent.submit(await screen.findByRole('form', { name: 'Add authenticator app' }))
  await waitFor(() => expect(screen.getByText('Tablet')).toBeTruthy())
  expect(screen.getByText('code-1')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'I’ve saved them' }))
  expect(screen.queryByText('code-1')).toBeNull()
  expect(document.activeElement?.textContent).toBe('Second factor')
})

it('one that was removed since the page was made, as after Back, is no longer listed', async () => {
  desk.answerWith(() => ({ json: { ...factors, authenticators: [] } }))
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <SecondFactor initialFactors={factors} hasPassword />
      </QueryProvider>
    </AppConfigProvider>,
  )
  expect(screen.getByText('Phone')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Phone')).toBeNull())
})

it('a factor and the recovery codes go only once that is confirmed, and the list of sign-ins is read again', async () => {
  let readings = 0
  desk.answerWith(({ method, path }) => {
    if (path.endsWith('/sessions')) readings += 1
    if (path.endsWith('/recovery-codes')) return { json: { recoveryCodes: ['code-1'] } }
    return { json: method === 'GET' ? factors : {} }
  })
  function Sessions() {
    useQuery({ queryKey: ['sessions'], queryFn: () => callDesk('/sessions') })
    return null
  }
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <SecondFactor initialFactors={factors} hasPassword />
        <Sessions />
      </QueryProvider>
    </AppConfigProvider>,
  )
  await waitFor(() => expect(readings).toBe(1))
  const changes = () => desk.arrived.filter(({ method }) => method !== 'GET').map(({ method }) => method)
  const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
  await press('Remove Phone')
  expect((await screen.findByRole('alertdialog')).textContent).toContain('recovery codes stop working')
  await press('Keep')
  await press('Create new recovery codes')
  expect((await screen.findByRole('alertdialog')).textContent).toContain('other sign-ins end')
  await press('Keep codes')
  expect(changes()).toEqual([])
  await press('Remove Phone')
  await press('Remove')
  await waitFor(() => expect(changes()).toEqual(['DELETE']))
  await waitFor(() => expect(readings).toBe(2))
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Second factor'))
  await press('Create new recovery codes')
  await press('Replace codes')
  await waitFor(() => expect(readings).toBe(3))
  expect(changes()).toEqual(['DELETE', 'POST'])
})

it.each([
  [true, 'your password alone protects your account'],
  [false, 'only signing in with your identity provider protects your account'],
])('who removes the only one is told what protects the account then (password: %s)', async (hasPassword, words) => {
  desk.answerWith(() => ({ json: factors }))
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <SecondFactor initialFactors={factors} hasPassword={hasPassword} />
      </QueryProvider>
    </AppConfigProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Remove Phone' }))
  expect((await screen.findByRole('alertdialog')).textContent).toContain(words)
})
