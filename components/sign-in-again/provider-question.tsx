'use client'

import { useEffect, useRef, useState } from 'react'
import { ProviderLink } from '../provider-link'
import { Button } from '../ui/button'
import { TopDialog, TopDialogButtons } from '../ui/top-dialog'
import * as words from '@/lib/words/signing-in-again'

type ProviderQuestionProps = {
  title: string
  words: string
  /** Looks whether that was done; null when it was, else what is missing, in words. */
  answer: () => Promise<string | null>
  onLeave: () => void
}

/** Asks somebody whom an OpenID provider knows to sign in there once more: in another tab, so that this page stays as it is. */
export function ProviderQuestion({ title, words: about, answer, onLeave }: ProviderQuestionProps) {
  const [error, setError] = useState<string | null>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const look = useRef(answer)
  useEffect(() => {
    look.current = answer
  }, [answer])

  // Whoever comes back from the other tab has done it, or will say so by the button.
  useEffect(() => {
    const comeBack = () => document.visibilityState === 'visible' && void look.current()
    document.addEventListener('visibilitychange', comeBack)
    return () => document.removeEventListener('visibilitychange', comeBack)
  }, [])

  return (
    <TopDialog title={title} words={about} onLeave={onLeave} initialFocus={link}>
      <div className="grid gap-3 px-6 pt-4 max-md:px-4">
        <ProviderLink ref={link}>{words.signInInAnotherTab}</ProviderLink>
        <p role="alert" className="text-[0.8125rem] font-medium text-negative empty:hidden">
          {error}
        </p>
      </div>
      <TopDialogButtons>
        <Button onClick={onLeave}>{words.notNow}</Button>
        <Button onClick={() => void answer().then(setError)}>{words.goOn}</Button>
      </TopDialogButtons>
    </TopDialog>
  )
}
