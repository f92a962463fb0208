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
      title={isChanged ? m.forms_sendThisToo() : m.forms_sendItAgain()}
      typed={null}
      confirmLabel={isChanged ? m.forms_sendToo() : m.forms_sendAgain()}
      cancelLabel={m.forms_goBack()}
      run={async () => answer(true)}
      onClose={() => answer(false)}
    >
      <p>{isChanged ? m.forms_isAnotherRequest() : m.forms_mayHaveBeenDone()}</p>
      {children}
    </ConfirmDialog>
  )
}
