'use client'

import { useRef } from 'react'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import { callSecondFactor, retryAfterStepUp } from '@/lib/client/api-client'
import type { Authenticator } from '@/lib/domain/second-factor'
import * as m from '@/lib/messages/m'

type RemoveFactorProps = {
  factor: Authenticator
  /** Whether the account has no other. */
  isLast: boolean
  /** Whether the account has a password; else its user signs in at the identity provider. */
  hasPassword: boolean
  onRemoved: () => void
  onClose: () => void
  /** What is focused once the factor is removed, and the pressed button with it. */
  focusAfter: () => HTMLElement | null
}

/** Confirms removing an app or a passkey of the user. */
export function RemoveFactor({ factor, isLast, hasPassword, onRemoved, onClose, focusAfter }: RemoveFactorProps) {
  const { authenticatorId, name } = factor
  const isRemoved = useRef(false)
  const removeLastAbout = hasPassword ? m.secondFactor_removeLastAbout : m.secondFactor_removeLastAboutByProvider

  async function run(): Promise<void> {
    await retryAfterStepUp(() => callSecondFactor(`/${authenticatorId}`, { method: 'DELETE' }))
    isRemoved.current = true
    onRemoved()
  }

  return (
    <ConfirmDialog
      title={m.secondFactor_removeQuestion({ name })}
      typed={null}
      confirmLabel={m.secondFactor_remove()}
      cancelLabel={m.secondFactor_keep()}
      run={run}
      onClose={onClose}
      finalFocus={() => (isRemoved.current ? focusAfter() : null)}
    >
      <AlertDialogDescription>{isLast ? removeLastAbout() : m.secondFactor_removeAbout()}</AlertDialogDescription>
    </ConfirmDialog>
  )
}
