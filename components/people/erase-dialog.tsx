'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import type { Erased, PersonRequest } from '@/lib/domain/people'
import * as m from '@/lib/messages/m'

type EraseDialogProps = {
  person: PersonRequest
  /** What the person is called; '' if unknown. */
  name: string
  /** What must be typed to confirm, any of these; none if nothing names the person. */
  anyOf: readonly string[]
  /** The number of places that are shown. */
  total: number
  onErased: (erased: Erased) => void
  onClose: () => void
}

/** Confirms an erasure by what the person is called and how much goes. */
export function EraseDialog({ person, name, anyOf, total, onErased, onClose }: EraseDialogProps) {
  async function run(): Promise<void> {
    const body = { person, expected: total }
    onErased(await retryAfterStepUp(() => callDesk<Erased>('/people/erase', { method: 'POST', body })))
  }
  return (
    <ConfirmDialog
      title={<UntrustedText>{m.people_confirmTitle({ name: name || m.people_person() })}</UntrustedText>}
      typed={anyOf.length > 0 ? { label: m.people_typeThis(), anyOf: [...new Set(anyOf)] } : null}
      confirmLabel={m.people_eraseNow()}
      cancelLabel={m.people_keep()}
      run={run}
      onClose={onClose}
    >
      <AlertDialogDescription>{m.people_confirmAbout({ count: total })}</AlertDialogDescription>
    </ConfirmDialog>
  )
}
