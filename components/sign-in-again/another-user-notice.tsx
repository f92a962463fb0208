'use client'

import { useRef } from 'react'
import { Button } from '../ui/button'
import { TopDialog, TopDialogButtons } from '../ui/top-dialog'

/** Somebody else has signed in in this browser: nothing of this page is theirs to go on with. */
export function AnotherUserNotice({ email, onLeave }: { email: string; onLeave: () => void }) {
  const first = useRef<HTMLButtonElement>(null)
  return (
    <TopDialog
      title="Somebody else is signed in here now"
      words={`This page belongs to ${email}. In this browser somebody else has signed in since, so nothing can be done from it: it would be done in their name.`}
      onLeave={onLeave}
      initialFocus={first}
    >
      <TopDialogButtons>
        <Button onClick={onLeave}>Stay on this page</Button>
        <Button ref={first} tone="primary" onClick={() => window.location.assign('/')}>
          Open a fresh page
        </Button>
      </TopDialogButtons>
    </TopDialog>
  )
}
