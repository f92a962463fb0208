import type { CurrentSession } from '@/lib/domain/accounts'
import { callDesk, CallError } from './api-client'
import { warnSessionEnding, dismissPrompt } from './identity-prompt'
import { liveChanges } from './live-changes'

/** Seconds of warning before the session ends (WCAG 2.2.1 requires 20). */
const WARNING_SECONDS = 60

/** Input within this time (milliseconds) means that the user is present. */
const PRESENCE_MS = 120_000

let lastInputAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
let reportRole: (role: CurrentSession['role']) => void = () => undefined

function recordInput(): void {
  lastInputAt = Date.now()
}

function scheduleCheck(seconds: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void checkSession(), seconds * 1_000)
}

async function handleSession({ idleLeft, left, role }: CurrentSession): Promise<void> {
  reportRole(role)
  const remaining = Math.min(idleLeft, left)
  const endsAt = Date.now() + remaining * 1_000
  if (remaining > WARNING_SECONDS + 5) {
    dismissPrompt()
    return scheduleCheck(remaining - WARNING_SECONDS)
  }
  const isIdle = idleLeft < left
  if (isIdle && Date.now() - lastInputAt < PRESENCE_MS) {
    const isExtended = await extendSession().then(
      () => true,
      () => false,
    )
    if (isExtended) return
  }
  warnSessionEnding(endsAt, isIdle)
  // After the end, so that the server decides and not this clock.
  scheduleCheck(remaining + 2)
}

/** Extends the session. Throws CallError; a 401 opens the sign-in prompt. */
export async function extendSession(): Promise<void> {
  await handleSession(await callDesk<CurrentSession>('/sessions/current', { method: 'POST' }))
}

/**
 * Reads the remaining session time and schedules the next check, a minute before the end. Checking extends nothing;
 * it also notices changes made in other tabs, by an admin, or while the computer slept.
 */
export async function checkSession(): Promise<void> {
  try {
    await handleSession(await callDesk<CurrentSession>('/sessions/current', { quiet: true }))
  } catch (error) {
    clearTimeout(timer)
    // Signed out, or another user: the prompt is already open.
    if (error instanceof CallError && error.status >= 400 && error.status < 500) return
    scheduleCheck(WARNING_SECONDS)
  }
}

/** Checks the session when the user comes back and before it ends. `onRole` takes the user's role at each check. */
export function watchSession(onRole: (role: CurrentSession['role']) => void): void {
  reportRole = onRole
  for (const name of ['keydown', 'pointerdown', 'wheel'])
    document.addEventListener(name, recordInput, { capture: true, passive: true })
  const checkIfVisible = () => document.visibilityState === 'visible' && void checkSession()
  document.addEventListener('visibilitychange', checkIfVisible)
  // With two windows side by side both stay visible, so visibilitychange is not enough.
  window.addEventListener('focus', checkIfVisible)
  // A change of the role ends the stream of changes.
  liveChanges.onState(() => liveChanges.isLive() && void checkSession())
  void checkSession()
}
