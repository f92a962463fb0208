import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closePrompt, useIdentityPrompt } from './identity-prompt'
import { watchSession } from './session-watch'
import { type DeskServer, startDeskServer } from './testing/desk-server'

let desk: DeskServer

beforeEach(async () => {
  desk = await startDeskServer()
})
afterEach(async () => {
  act(() => closePrompt(true))
  cleanup()
  await desk.close()
})

it('a session that could not be extended for whoever is working is warned of, and watched on', async () => {
  const { result } = renderHook(() => useIdentityPrompt())
  const checks = () => desk.arrived.filter(({ method }) => method === 'GET').length
  desk.answerWith(({ method }) => {
    if (method === 'POST') return { status: 503, json: { type: 'store-unavailable', status: 503 } }
    return { json: checks() === 1 ? { idleLeft: 0.1, left: 9_000 } : { idleLeft: 1_800, left: 9_000 } }
  })
  watchSession(() => undefined)
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))
  await vi.waitFor(() => expect(result.current).toMatchObject({ kind: 'ending', extendable: true }))
  await vi.waitFor(() => expect(checks()).toBe(2), { timeout: 10_000 })
  // Another tab has extended it.
  await vi.waitFor(() => expect(result.current).toBeNull())
})
