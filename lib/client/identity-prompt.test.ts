import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callDesk } from './api-client'
import { closePrompt, dismissPrompt, promptSignIn, useIdentityPrompt } from './identity-prompt'
import { type DeskServer, startDeskServer } from './testing/desk-server'

let desk: DeskServer
let shown: () => string | null

beforeEach(async () => {
  desk = await startDeskServer()
  const { result } = renderHook(() => useIdentityPrompt())
  shown = () => result.current?.kind ?? null
})
afterEach(async () => {
  act(() => closePrompt(true))
  cleanup()
  await desk.close()
})

const call = (quiet: boolean) => act(() => callDesk('/cancellations?open=1', { quiet }).catch(() => undefined))

describe.each(['signed-out', 'another-user'])('the question of a page whose user is %s', (code) => {
  beforeEach(() => {
    desk.answerWith(() => ({ status: 401, json: { type: `urn:debitdesk:${code}`, title: code, status: 401 } }))
  })

  it('is asked by a request in the background, and once declined only by what the user does', async () => {
    await call(true)
    expect(shown()).toBe(code)
    act(() => closePrompt(false))
    await call(true)
    expect(shown()).toBe(null)
    await call(false)
    expect(shown()).toBe(code)
  })

  it.each([
    ['signs in', () => closePrompt(true)],
    ['is signed in in another tab', dismissPrompt],
  ])('is asked again once the user %s and that ends', async (_how, signIn) => {
    await call(true)
    act(() => closePrompt(false))
    act(signIn)
    await call(true)
    expect(shown()).toBe(code)
  })
})

it('whoever does not sign in early is asked when the session is over', async () => {
  desk.answerWith(() => ({ status: 401, json: { type: 'urn:debitdesk:signed-out', status: 401 } }))
  act(() => promptSignIn({ isEarly: true }))
  act(() => closePrompt(false))
  await call(true)
  expect(shown()).toBe('signed-out')
})
