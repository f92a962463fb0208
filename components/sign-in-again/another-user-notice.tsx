'use client'

import { useRef } from 'react'
import { Button } from '../ui/button'
import { TopDialog, TopDialogButtons } from '../ui/top-dialog'
import * as words from '@/lib/words/signing-in-again'

/** Somebody else has signed in in this browser: nothing of this page is theirs to go on with. */
export function AnotherUserNotice({ email, onLeave }: { email: string; onLeave: () => void }) {
  const first = useRef<HTMLButtonElement>(null)
  return (
    <TopDialog
      title={words.somebodyElseIsSigned}
      words={words.thisPageBelongs(email)}
      onLeave={onLeave}
      initialFocus={first}
    >
      <TopDialogButtons>
        <Button onClick={onLeave}>{words.stayOnThisPage}</Button>
        <Button ref={first} tone="primary" onClick={() => window.location.assign('/')}>
          {words.openAFreshPage}
        </Button>
      </TopDialogButtons>
    </TopDialog>
  )
}
