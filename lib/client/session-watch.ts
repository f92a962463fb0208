import type { SessionTimes } from '@/lib/domain/accounts'
import { callDesk, CallError } from './api-client'
import { warnSessionEnding, dismissPrompt } from './identity-prompt'

/** Seconds before the end at which people are warned (WCAG 2.2.1 asks for 20). */
const notice = 60

/** Somebody who has typed or clicked this recently, in milliseconds, is there: no need to ask. */
const present = 120_000

let lastInput = 0
let timer: ReturnType<typeof setTimeout> | undefined

function noteInput(): void {
  lastInput = Date.now()
}

function again(seconds: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void checkSession(), seconds * 1_000)
}

function act({ idleLeft, left }: SessionTimes): void {
  const soonest = Math.min(idleLeft, left)
  if (soonest > notice + 5) {
    dismissPrompt()
    return again(soonest - notice)
  }
  const isIdle = idleLeft < left
  if (isIdle && Date.now() - lastInput < present) return void extendSession()
  warnSessionEnding(Date.now() + soonest * 1_000, isIdle)
  // Past the end, so that what is left is said by the desk and not by this clock.
  again(soonest + 2)
}

/** Tells the desk that somebody is there. Throws CallError; whoever is signed out is asked to sign in by the call itself. */
export async function extendSession(): Promise<void> {
  act(await callDesk<SessionTimes>('/sessions/current', { method: 'POST' }))
}

/**
 * Looks how long the session still holds, and again when it is about to end: a minute before, it warns. A look
 * prolongs nothing, and finds out what happened meanwhile: in other tabs, while the computer slept, by an admin.
 */
export async function checkSession(): Promise<void> {
  try {
    act(await callDesk<SessionTimes>('/sessions/current', { quiet: true }))
  } catch (error) {
    clearTimeout(timer)
    // Signed out, or somebody else: the call has said so, and once is enough.
    if (error instanceof CallError && error.status >= 400 && error.status < 500) return
    again(notice)
  }
}

/** Begins to watch, from now on. */
export function watchSession(): void {
  for (const name of ['keydown', 'pointerdown', 'wheel'])
    document.addEventListener(name, noteInput, { capture: true, passive: true })
  const look = () => document.visibilityState === 'visible' && void checkSession()
  document.addEventListener('visibilitychange', look)
  // Of two windows side by side both are visible.
  window.addEventListener('focus', look)
  void checkSession()
}
