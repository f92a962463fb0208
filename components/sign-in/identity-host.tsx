'use client'

import { useEffect } from 'react'
import { setPageUser } from '@/lib/client/page-context'
import { useIdentityPrompt } from '@/lib/client/identity-prompt'
import * as words from '@/lib/words/shell-controls'
import { useLazyModule } from '@/lib/client/use-lazy-module'

const loadOverlay = async () => (await import('./identity-overlay')).IdentityOverlay

/** Well before a session can end by itself, in milliseconds. */
const quietTime = 20 * 60_000

function watchLater(): () => void {
  const watch = () => {
    stop()
    import('@/lib/client/session-watch').then(({ watchSession }) => watchSession()).catch(() => undefined)
  }
  // Kept by the browser from before: whoever signed out must not find it again.
  const renew = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload()
  const timer = setTimeout(watch, quietTime)
  document.addEventListener('visibilitychange', watch)
  window.addEventListener('focus', watch)
  window.addEventListener('pageshow', renew)
  function stop() {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', watch)
    window.removeEventListener('focus', watch)
  }
  return () => {
    stop()
    window.removeEventListener('pageshow', renew)
  }
}

/** `isByProvider`: the account has no password here. */
type IdentityHostProps = { userId: string; email: string; isByProvider: boolean }

/** Stands once in the shell: asks what the desk has to ask of whoever sits at it, and loads only then what it takes. */
export function IdentityHost({ userId, email, isByProvider }: IdentityHostProps) {
  const question = useIdentityPrompt()
  const { part: Overlay, failed } = useLazyModule(question !== null, loadOverlay)
  // While it is drawn: a list begins to ask in a layout effect, which comes before an effect of this one.
  setPageUser(userId)
  useEffect(watchLater, [])
  if (question && Overlay) return <Overlay question={question} email={email} isByProvider={isByProvider} />
  return failed ? (
    <p role="alert" className="corner-note z-60">
      {words.signedOutElsewhere}
    </p>
  ) : null
}
