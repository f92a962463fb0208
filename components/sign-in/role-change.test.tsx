import { render } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { liveChanges } from '@/lib/client/live-changes'
import { followOtherTab } from '@/lib/client/testing/other-tab'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { IdentityHost } from './identity-host'

const desk = setDeskForEach()
const user = { userId: 'u1', email: 'ann@debitdesk.example', role: 'admin', isByProvider: false } as const

it('a role is asked for when the stream, which ended with the old one, is there again, though nobody left the page', async () => {
  const refresh = vi.fn<() => void>()
  const other = followOtherTab('u1 m1')
  desk.answerWith(() => ({ json: { idleLeft: 1_800, left: 9_000, role: 'auditor' } }))
  render(
    <AppRouterContext value={{ ...router, refresh }}>
      <IdentityHost {...user} />
    </AppRouterContext>,
  )
  other.tell({})
  await vi.waitFor(() => expect(liveChanges.isLive()).toBe(true))
  other.lose()
  await vi.waitFor(() => expect(liveChanges.isLive()).toBe(false))
  // Whoever has signed out in another tab, to sign in again there, is not asked to do so here.
  expect(desk.arrived).toEqual([])
  other.tell({})
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledOnce())
  other.stop()
})
