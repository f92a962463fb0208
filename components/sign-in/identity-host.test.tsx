import { fireEvent, render } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { readPastNotices } from '@/components/feedback/toast-store'
import type { Role } from '@/lib/api-contract/permission'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { IdentityHost } from './identity-host'

const desk = setDeskForEach()

it('a role that was changed meanwhile renews the shell, which says so', async () => {
  const refresh = vi.fn<() => void>()
  const host = (role: Role) => (
    <AppRouterContext value={{ ...router, refresh }}>
      <IdentityHost userId="u1" email="ann@debitdesk.example" role={role} isByProvider={false} />
    </AppRouterContext>
  )
  desk.answerWith(() => ({ json: { idleLeft: 1_800, left: 9_000, role: 'auditor' } }))
  const { rerender } = render(host('admin'))
  fireEvent.focus(window)
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledOnce())
  expect(readPastNotices()).toEqual([])
  rerender(host('auditor'))
  expect(readPastNotices()[0]?.title).toBe('Your role is now Auditor')
  fireEvent.focus(window)
  await vi.waitFor(() => expect(desk.arrived.length).toBeGreaterThan(1))
  expect(refresh).toHaveBeenCalledOnce()
})
