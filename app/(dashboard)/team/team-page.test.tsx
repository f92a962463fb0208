import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { type DeskServer, startDeskServer } from '@/lib/client/testing/desk-server'
import type { Team } from '@/lib/domain/accounts'
import { TeamPage } from './team-page'

let desk: DeskServer
let release: () => void
const team: Team = { members: [], factorRoles: [] }

beforeEach(async () => {
  desk = await startDeskServer()
  const held = new Promise<void>((resolve) => (release = resolve))
  desk.answerWith(async ({ method, path, body }) => {
    if (method === 'GET') return { json: path.endsWith('/tokens') ? { tokens: [] } : team }
    await held
    const { email } = body as { email: string }
    const refused = { status: 409, title: 'x', detail: `${email} is already in the team.` }
    if (email.startsWith('known@')) return { status: 409, json: { ...refused, type: 'urn:debitdesk:in-team' } }
    return { json: { link: { address: `https://desk.example/${email}`, expiresAt: '2026-11-30T10:00:00.000Z' } } }
  })
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <TeamPage initialTeam={team} initialTokens={{ tokens: [] }} userId="u1" />
      </QueryProvider>
    </AppConfigProvider>,
  )
})
afterEach(async () => {
  cleanup()
  await desk.close()
})

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: /Email/u })
const links = () => [...document.querySelectorAll('[data-link]')].map(({ textContent }) => textContent)

async function invite(email: string): Promise<void> {
  const invitation = screen.getByRole('region', { name: /Invite/u })
  await vi.waitFor(() => expect(field().matches(':disabled')).toBe(false))
  fireEvent.change(field(), { target: { value: email } })
  fireEvent.submit(within(invitation).getByRole('button'))
}

it('an address that is typed while the one before is being invited stays', async () => {
  await invite('ann@debitdesk.example')
  await vi.waitFor(() => expect(desk.arrived.some(({ method }) => method === 'POST')).toBe(true))
  fireEvent.change(field(), { target: { value: 'bo@' } })
  release()
  await vi.waitFor(() => expect(links()).toHaveLength(1))
  expect(field().value).toBe('bo@')
})

it('a link, shown only once, stays until it is done with, while others are made', async () => {
  release()
  await invite('ann@debitdesk.example')
  await vi.waitFor(() => expect(field().value).toBe(''))
  await invite('bo@debitdesk.example')
  const [first, second] = ['bo', 'ann'].map((name) => `https://desk.example/${name}@debitdesk.example`)
  await vi.waitFor(() => expect(links()).toEqual([first, second]))
  fireEvent.click(screen.getAllByRole('button', { name: 'Done' })[0] ?? document.body)
  expect(links()).toEqual([second])
})

it('who may have been invited gets a new link from the list, also once they are in the team', async () => {
  const inTeam = { type: 'urn:debitdesk:in-team', title: 'x', status: 409, detail: 'Already in the team.' }
  let isFirst = true
  desk.answerWith(({ method, path }) => {
    if (method === 'GET') return { json: path.endsWith('/tokens') ? { tokens: [] } : team }
    const reply = isFirst ? { hangUp: true } : { status: 409, json: inTeam }
    isFirst = false
    return reply
  })
  const reads = () => desk.arrived.filter(({ method, path }) => method === 'GET' && path === '/api/desk/team').length
  await invite('ann@debitdesk.example')
  const before = reads()
  expect(await screen.findByText(/^We don’t know yet whether they were invited.*“Password link”/u)).toBeTruthy()
  expect(screen.queryByText(/try again/u)).toBeNull()
  await vi.waitFor(() => expect(reads()).toBeGreaterThan(before))
  await invite('ann@debitdesk.example')
  const told = 'Already in the team. For a new link, use “Password link” beside their address.'
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe(told))
})

it('the team and its tokens are read at once: after Back the page is one from before', async () => {
  const readings = () => desk.arrived.map(({ method, path }) => `${method} ${path}`).toSorted()
  await vi.waitFor(() => expect(readings()).toEqual(['GET /api/desk/team', 'GET /api/desk/team/tokens']))
})

it('an address that is on the team already is refused at its field', async () => {
  release()
  await invite('known@debitdesk.example')
  const refusal = 'known@debitdesk.example is already in the team.'
  const told = `${refusal} For a new link, use “Password link” beside their address.`
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe(told))
  expect(document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent).toBe(told)
  expect(document.activeElement).toBe(field())
})

it.each([
  [' ', 'Email must not be empty.'],
  ['bo', 'Email must be an email address.'],
])('the address “%s” is not sent; the form says: %s', async (email, expected) => {
  await invite(email)
  await screen.findAllByText(expected)
  expect(document.activeElement).toBe(field())
  expect(desk.arrived.some(({ method }) => method === 'POST')).toBe(false)
})
