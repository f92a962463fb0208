'use client'

import { useRef, useState } from 'react'
import { CopyButton } from '@/components/copy-button'
import { tellDone } from '@/components/notices/tell-done'
import { Said } from '@/components/said'
import { Button } from '@/components/ui/button'
import { useLoaded } from '@/components/use-loaded'
import { callAgainWhenProven } from '@/lib/browser/call-again-when-proven'
import { callDesk } from '@/lib/browser/call'
import type { InboxView } from '@/lib/contract/inbox'
import * as words from '@/lib/words/webhooks'
import { SigningSecret } from './signing-secret'

const loadDialog = async () => (await import('./renew-address')).RenewAddress

type InboxAddressProps = {
  address: string
  hasSigningSecret: boolean
  isLocked: boolean
  isSubscribed: boolean | null
  mayManage: boolean
  /** Shows what the inbox has become. */
  onChange: (view: InboxView) => Promise<void>
}

/** The inbox's address and how signatures are checked, and what changes either. */
export function InboxAddress({
  address,
  hasSigningSecret,
  isLocked,
  isSubscribed,
  mayManage,
  onChange,
}: InboxAddressProps) {
  const [isTyping, setTyping] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { part: Dialog, failed } = useLoaded(isAsking, loadDialog)
  const opener = useRef<HTMLButtonElement>(null)

  function closeForm(): void {
    setTyping(false)
    // The form goes with the focus in it, and its button comes back.
    requestAnimationFrame(() => opener.current?.focus())
  }

  async function renew(): Promise<void> {
    const renewed = () => callDesk<InboxView>('/inbox/address', { method: 'POST', body: {} })
    await onChange(await callAgainWhenProven(renewed))
    tellDone(words.inboxHasANewAddress)
    setAsking(false)
  }

  return (
    <div className="border-t border-line px-5 py-4 max-md:px-4">
      <p className="flex items-center gap-1 font-medium">
        <Said>{address}</Said>
        {mayManage ? <CopyButton value={address} name="inbox address" /> : null}
      </p>
      <p className="mt-1 text-[0.8125rem] text-ink-soft">
        {isLocked ? (
          <span className="text-caution">{words.signingSecretCannotBeRead}</span>
        ) : hasSigningSecret ? (
          words.signaturesAreChecked
        ) : (
          words.signaturesAreNotChecked
        )}
        {mayManage ? null : words.endOfTheAddress}
      </p>
      {mayManage && !isTyping ? (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button ref={opener} size="small" onClick={() => setTyping(true)}>
            {hasSigningSecret && !isLocked ? words.changeSigningSecret : words.enterSigningSecret}
          </Button>
          <Button size="small" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            {words.renewAddress}
          </Button>
        </div>
      ) : null}
      {isTyping ? (
        <div className="mt-4">
          <SigningSecret
            onKept={(view) => {
              closeForm()
              void onChange(view)
            }}
            onLeave={closeForm}
          />
        </div>
      ) : null}
      {failed ? <p role="alert">{words.dialogCouldNotBeLoaded}</p> : null}
      {isAsking && Dialog ? <Dialog isSubscribed={isSubscribed} run={renew} onClose={() => setAsking(false)} /> : null}
    </div>
  )
}
