import type { SessionTimes } from '@/lib/domain/accounts'
import { callDesk, CallError } from './api-client'
import { warnSessionEnding, dismissPrompt } from './identity-prompt'

/** Seconds of warning before the session ends (WCAG 2.2.1 requires 20). */
const notice = 60

/** Input within this time (milliseconds) means that the user is present. */
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
  // After the end, so that the server decides and not this clock.
  again(soonest + 2)
}

/** Extends the session. Throws CallError; a 401 opens the sign-in prompt. */
export async function extendSession(): Promise<void> {
  act(await callDesk<SessionTimes>('/sessions/current', { method: 'POST' }))
}

/**
 * Reads the remaining session time and schedules the next check, a minute before the end. Checking extends nothing;
 * it also notices changes made in other tabs, by an admin, or while the computer slept.
 */
export async function checkSession(): Promise<void> {
  try {
    act(await callDesk<SessionTimes>('/sessions/current', { quiet: true }))
  } catch (error) {
    clearTimeout(timer)
    // Signed out, or another user: the prompt is already open.
    if (error instanceof CallError && error.status >= 400 && error.status < 500) return
    again(notice)
  }
}

export function watchSession(): void {
  for (const name of ['keydown', 'pointerdown', 'wheel'])
    document.addEventListener(name, noteInput, { capture: true, passive: true })
  const look = () => document.visibilityState === 'visible' && void checkSession()
  document.addEventListener('visibilitychange', look)
  // With two windows side by side both stay visible, so visibilitychange is not enough.
  window.addEventListener('focus', look)
  void checkSession()
}
