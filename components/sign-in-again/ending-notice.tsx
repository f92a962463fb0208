'use client'

import { useEffect, useRef, useState } from 'react'
import { closeQuestion } from '@/lib/browser/identity-question'
import { stayHere } from '@/lib/browser/watch-session'
import { Button } from '../ui/button'
import { TopDialog, TopDialogButtons } from '../ui/top-dialog'

function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.round((at - now) / 1_000))
}

const leave = () => closeQuestion(false)

/** Warns that the session ends in a minute. An idle one can be kept; one that is twelve hours old begins anew. */
export function EndingNotice({ at, extendable, onSignIn }: { at: number; extendable: boolean; onSignIn: () => void }) {
  const left = useSecondsUntil(at)
  const first = useRef<HTMLButtonElement>(null)

  function stay(): void {
    leave()
    // Whoever turns out to be signed out is asked to sign in by the call itself.
    stayHere().catch(() => undefined)
  }

  return (
    <TopDialog
      title={left > 0 ? 'You are about to be signed out' : 'You are signed out'}
      words={
        extendable
          ? 'Nothing has been done here for almost half an hour. What is on this page stays as it is.'
          : 'A sign-in lasts twelve hours. What is on this page stays as it is.'
      }
      onLeave={leave}
      initialFocus={first}
    >
      <p className="px-6 pt-3 font-medium max-md:px-4">
        <span aria-hidden="true">{left > 0 ? `In ${left} s` : 'The time is over.'}</span>
        <span role="timer" className="sr-only">
          {left > 0 ? `In ${Math.ceil(left / 15) * 15} seconds` : 'The time is over.'}
        </span>
      </p>
      <TopDialogButtons>
        <Button onClick={leave}>Not now</Button>
        <Button ref={first} tone="primary" onClick={extendable && left > 0 ? stay : onSignIn}>
          {extendable && left > 0 ? 'Stay signed in' : 'Sign in again'}
        </Button>
      </TopDialogButtons>
    </TopDialog>
  )
}
