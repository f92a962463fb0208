'use client'

import { useEffect, useRef, useState } from 'react'
import { closeQuestion } from '@/lib/browser/identity-question'
import { stayHere } from '@/lib/browser/watch-session'
import * as words from '@/lib/words/signing-in-again'
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
      title={left > 0 ? words.youAreAbout : words.youAreSignedOut}
      words={extendable ? words.nothingHasBeenDone : words.signInLastsTwelveHours}
      onLeave={leave}
      initialFocus={first}
    >
      <p className="px-6 pt-3 font-medium max-md:px-4">
        <span aria-hidden="true">{left > 0 ? words.inS(left) : words.timeIsOver}</span>
        <span role="timer" className="sr-only">
          {left > 0 ? words.inSeconds(Math.ceil(left / 15) * 15) : words.timeIsOver}
        </span>
      </p>
      <TopDialogButtons>
        <Button onClick={leave}>{words.notNow}</Button>
        <Button ref={first} tone="primary" onClick={extendable && left > 0 ? stay : onSignIn}>
          {extendable && left > 0 ? words.staySignedIn : words.signInAgain}
        </Button>
      </TopDialogButtons>
    </TopDialog>
  )
}
