import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { takePendingToasts } from '@/components/feedback/toast-store'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { TeamMember } from '@/lib/domain/accounts'
import { MemberRow } from './member-row'

const desk = setDeskForEach()
const refresh = vi.fn<() => void>()

const bo: TeamMember = {
  userId: 'u2',
  email: 'bo@debitdesk.example',
  role: 'admin',
  isRoleProvided: false,
  state: 'active',
  isShared: false,
  demo: false,
  lastSeenAt: null,
  sessions: 1,
  linkUntil: null,
  hasFactor: true,
  factorReset: null,
  linkMail: null,
}

function renderRow(member: Partial<TeamMember>, isSelf = false): void {
  desk.answerWith(() => ({ json: {} }))
  render(
    <AppRouterContext value={{ ...router, refresh }}>
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <MemberRow member={{ ...bo, ...member }} isSelf={isSelf} isFactorDue={false} onLink={() => undefined} />
        </QueryProvider>
      </AppConfigProvider>
    </AppRouterContext>,
  )
}

async function chooseViewer(): Promise<HTMLElement> {
  const select = screen.getByRole('combobox')
  await vi.waitFor(() => expect(select.matches(':disabled')).toBe(false))
  fireEvent.change(select, { target: { value: 'viewer' } })
  return screen.findByRole('alertdialog')
}

const confirm = () => fireEvent.click(screen.getByRole('button', { name: 'Change role' }))

it('what is refused for an account that others administer too is not offered, with the reason', () => {
  renderRow({ isShared: true })
  const offered = screen.getAllByRole('button').filter((button) => button.getAttribute('aria-disabled') === null)
  expect(offered.map(({ textContent }) => textContent)).toEqual(['Remove'])
  expect(screen.getByRole('button', { name: /^Disable/u }).title).toContain('a merchant that you don’t administer')
})

it('a changed role is confirmed, and one that the identity provider gives is said to come back', async () => {
  renderRow({ isRoleProvided: true })
  expect((await chooseViewer()).textContent).toContain('This role comes from your identity provider')
  confirm()
  await vi.waitFor(() => expect(takePendingToasts()).toMatchObject([{ title: 'Role changed', text: bo.email }]))
  expect(refresh).not.toHaveBeenCalled()
})

it('one’s own role is given up with a warning, and the page follows it', async () => {
  renderRow({}, true)
  const dialog = await chooseViewer()
  expect(dialog.textContent).toContain('your next request. You can no longer manage the team then')
  expect(dialog.textContent).not.toContain('identity provider')
  confirm()
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledOnce())
})
