'use client'

import type { ReactNode } from 'react'
import { ConfirmDialog } from '../feedback/confirm-dialog'
import type { RepeatQuestion } from './use-endpoint-form'
import * as m from '@/lib/messages/m'

type ConfirmRepeatProps = {
  question: RepeatQuestion | null
  /** Where to look whether it was done. */
  children?: ReactNode
}

/** Asks before a request is sent again that may have been carried out. */
export function ConfirmRepeat({ question, children }: ConfirmRepeatProps) {
  if (!question) return null
  const { isChanged, answer } = question
  return (
    <ConfirmDialog
      title={m.forms_sendItAgain()}
      typed={null}
      confirmLabel={m.forms_sendAgain()}
      cancelLabel={m.forms_goBack()}
      run={async () => answer(true)}
      onClose={() => answer(false)}
    >
      <p>{m.forms_mayHaveBeenDone()}</p>
      {isChanged ? <p>{m.forms_changedSince()}</p> : null}
      {children}
    </ConfirmDialog>
  )
}
