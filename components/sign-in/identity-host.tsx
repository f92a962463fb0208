'use client'

import { useEffect } from 'react'
import { setPageUser } from '@/lib/client/page-context'
import { useIdentityPrompt } from '@/lib/client/identity-prompt'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import * as m from '@/lib/messages/m'

const loadOverlay = async () => (await import('./identity-overlay')).IdentityOverlay

/** Milliseconds; well before a session can expire. */
const WATCH_DELAY_MS = 20 * 60_000

function scheduleWatch(): () => void {
  const watch = () => {
    stop()
    import('@/lib/client/session-watch').then(({ watchSession }) => watchSession()).catch(() => undefined)
  }
  // Restored from the back/forward cache: it must not reappear after a sign-out.
  const reloadIfRestored = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload()
  const timer = setTimeout(watch, WATCH_DELAY_MS)
  document.addEventListener('visibilitychange', watch)
  window.addEventListener('focus', watch)
  window.addEventListener('pageshow', reloadIfRestored)
  function stop() {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', watch)
    window.removeEventListener('focus', watch)
  }
  return () => {
    stop()
    window.removeEventListener('pageshow', reloadIfRestored)
  }
}

/** `isByProvider`: the account has no password. */
type IdentityHostProps = { userId: string; email: string; isByProvider: boolean }

/** Part of the shell: shows identity prompts, loading their code on demand. */
export function IdentityHost({ userId, email, isByProvider }: IdentityHostProps) {
  const question = useIdentityPrompt()
  const { part: Overlay, failed } = useLazyModule(question !== null, loadOverlay)
  // During render: a list sends its first request in a layout effect, before any effect here.
  setPageUser(userId)
  useEffect(scheduleWatch, [])
  if (question && Overlay) return <Overlay question={question} email={email} isByProvider={isByProvider} />
  return failed ? (
    <p role="alert" className="corner-note z-60">
      {m.shellControls_signedOutElsewhere()}
    </p>
  ) : null
}
