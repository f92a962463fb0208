'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef } from 'react'
import { showToast } from '@/components/feedback/toast-store'
import type { Role } from '@/lib/api-contract/permission'
import { setPageUser } from '@/lib/client/page-context'
import { useIdentityPrompt } from '@/lib/client/identity-prompt'
import { liveChanges } from '@/lib/client/live-changes'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import { roleNames } from '@/lib/domain/roles'
import * as m from '@/lib/messages/m'

const loadOverlay = async () => (await import('./identity-overlay')).IdentityOverlay

/** Milliseconds; well before a session can expire. */
const WATCH_DELAY_MS = 20 * 60_000

function scheduleWatch(onRole: (role: Role) => void): () => void {
  const watch = () => {
    stop()
    import('@/lib/client/session-watch').then(({ watchSession }) => watchSession(onRole)).catch(() => undefined)
  }
  // Restored from the back/forward cache: it must not reappear after a sign-out.
  const reloadIfRestored = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload()
  let wasLive = false
  // A change of the role ends the stream of changes.
  const stopListening = liveChanges.onState(() => {
    if (wasLive && liveChanges.isLive()) watch()
    wasLive ||= liveChanges.isLive()
  })
  const timer = setTimeout(watch, WATCH_DELAY_MS)
  document.addEventListener('visibilitychange', watch)
  window.addEventListener('focus', watch)
  window.addEventListener('pageshow', reloadIfRestored)
  function stop() {
    clearTimeout(timer)
    stopListening()
    document.removeEventListener('visibilitychange', watch)
    window.removeEventListener('focus', watch)
  }
  return () => {
    stop()
    window.removeEventListener('pageshow', reloadIfRestored)
  }
}

/** `isByProvider`: the account has no password. */
type IdentityHostProps = { userId: string; email: string; role: Role; isByProvider: boolean }

/** Part of the shell: shows identity prompts, loading their code on demand, and renews the shell when the role has changed. */
export function IdentityHost({ userId, email, role, isByProvider }: IdentityHostProps) {
  const router = useRouter()
  const question = useIdentityPrompt()
  const { part: Overlay, failed } = useLazyModule(question !== null, loadOverlay)
  // During render: a list sends its first request in a layout effect, before any effect here.
  setPageUser(userId)
  const takeRole = useEffectEvent((current: Role) => {
    if (current !== role) router.refresh()
  })
  useEffect(() => scheduleWatch((current) => takeRole(current)), [])
  const shownRole = useRef(role)
  useEffect(() => {
    if (role !== shownRole.current) showToast(m.shell_roleIsNow({ role: roleNames[role].name() }))
    shownRole.current = role
  }, [role])
  if (question && Overlay) return <Overlay question={question} email={email} isByProvider={isByProvider} />
  return failed ? (
    <p role="alert" className="corner-note z-60">
      {m.shellControls_signedOutElsewhere()}
    </p>
  ) : null
}
