import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { resetCookie } from '@/lib/domain/accounts'
import { AppConfigProvider } from './app-config'
import { PasswordResetNotice } from './password-reset-notice'

const facts = {
  connectionId: 'default',
  merchant: null,
  amounts: 'minor' as const,
  schemeZone: 'Europe/Copenhagen',
  cutOffs: '*=1@16:00',
  exportDays: 1,
  states: { cancellable: [], cancelled: [], final: [] },
  locale: 'en',
}

it('says whose links reset the password and when, until its owner says it was them, in this browser', () => {
  const reset = { id: 'reset-7', madeBy: 'boss@example.com', at: '2026-11-25T09:30:00.000Z' }
  const earlier = { id: 'reset-6', madeBy: 'other@example.com', at: '2026-11-24T09:30:00.000Z' }
  render(<PasswordResetNotice resets={[reset, earlier]} />, {
    wrapper: ({ children }) => <AppConfigProvider config={facts}>{children}</AppConfigProvider>,
  })
  const notice = screen.getByRole('region', { name: 'Your password was reset' })
  expect(notice.textContent).toContain('with a link made by boss@example.com.')
  expect(notice.textContent).toContain('a link made by other@example.com.')
  expect([...notice.querySelectorAll('time')].map(({ dateTime }) => dateTime)).toEqual([reset.at, earlier.at])
  fireEvent.click(screen.getByRole('button', { name: 'That was me' }))
  expect(screen.queryByRole('region')).toBeNull()
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store is not in jsdom
  expect(document.cookie).toContain(`${resetCookie}=reset-7`)
})
