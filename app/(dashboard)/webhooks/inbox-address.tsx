'use client'

import { useEffect, useRef, useState } from 'react'
import * as z from 'zod'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { showToast } from '@/components/feedback/toast-store'
import { HydratedFieldset } from '@/components/forms/before-hydration'
import { keepFocus } from '@/components/forms/form-elements'
import { LeaveGuard } from '@/components/forms/leave-guard'
import { TextField, useEndpointForm } from '@/components/forms/use-endpoint-form'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import type { Message } from '@/lib/language/runtime'
import type { InboxView, SigningSecretState } from '@/lib/domain/webhooks'
import * as m from '@/lib/messages/m'

const schema = z.strictObject({
  secret: z.string().min(1, { error: m.webhooks_mustNotBeEmpty }).max(200, { error: m.webhooks_isTooLong }),
})

type SigningSecretProps = { onKept: (view: InboxView) => void; onLeave: () => void }

/** Stores the inbox's signing secret, where the API reveals it elsewhere. It is never shown again. */
export function SigningSecret({ onKept, onLeave }: SigningSecretProps) {
  const state = useEndpointForm({
    schema,
    defaults: { secret: '' },
    fields: ['secret'],
    toBody: ({ secret }) => ({ secret: secret.trim() }),
    send: (body) => retryAfterStepUp(() => callDesk<InboxView>('/inbox/signing-secret', { method: 'PUT', body })),
    onDone: (view) => {
      showToast(m.webhooks_signingSecretKept(), m.webhooks_signaturesOfWhatArrives())
      onKept(view)
    },
  })
  const { form, problem, isSending, onSubmit } = state
  const { setFocus } = form
  // The button that opened the form is gone.
  useEffect(() => setFocus('secret'), [setFocus])
  return (
    <form
      noValidate
      className="grid max-w-2xl gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) void onSubmit(event)
      }}
    >
      {form.formState.isDirty ? <LeaveGuard /> : null}
      <HydratedFieldset name={m.webhooks_signingSecret()}>
        <TextField
          form={form}
          name="secret"
          label={m.webhooks_signingSecret()}
          hint={m.webhooks_asTheServiceShows()}
          required
        />
        {problem && problem.problem.code !== 'bad-request' ? <ProblemNotice problem={problem.problem} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button
            aria-busy={isSending || undefined}
            type="submit"
            tone="primary"
            reason={isSending ? m.webhooks_requestIsOnItsWay() : null}
          >
            {m.webhooks_keepSecret()}
          </Button>
          <Button onMouseDown={keepFocus} onClick={onLeave}>
            {m.webhooks_cancel()}
          </Button>
        </div>
      </HydratedFieldset>
    </form>
  )
}

const secretTexts: Record<SigningSecretState, Message> = {
  none: m.webhooks_signaturesAreNotChecked,
  unproven: m.webhooks_signaturesAreNotCheckedYet,
  proven: m.webhooks_signaturesAreChecked,
  locked: m.webhooks_signingSecretCannotBeRead,
}

const loadRenewal = async () => (await import('./renew-address')).RenewAddress
const loadRemoval = async () => (await import('./remove-signing-secret')).RemoveSigningSecret

type InboxAddressProps = {
  address: string
  signingSecret: SigningSecretState
  /** Also at its address from before the desk moved; null if it is not known. */
  isSubscribed: boolean | null
  mayManage: boolean
  /** Called with the changed inbox. */
  onChange: (view: InboxView) => Promise<void>
}

/** The inbox's address and signature check, with their actions. */
export function InboxAddress({ address, signingSecret, isSubscribed, mayManage, onChange }: InboxAddressProps) {
  const [isTyping, setTyping] = useState(false)
  const [asked, setAsked] = useState<'renewal' | 'removal' | null>(null)
  const close = () => setAsked(null)
  const { part: Renewal } = useAskedPart(asked === 'renewal', loadRenewal, close)
  const { part: Removal } = useAskedPart(asked === 'removal', loadRemoval, close)
  const opener = useRef<HTMLButtonElement>(null)

  const hasSecret = signingSecret !== 'none'

  function closeForm(): void {
    setTyping(false)
    // The focused form disappears and its button comes back.
    requestAnimationFrame(() => opener.current?.focus())
  }

  async function renew(): Promise<void> {
    const renewed = () => callDesk<InboxView>('/inbox/address', { method: 'POST', body: {} })
    await onChange(await retryAfterStepUp(renewed))
    showToast(m.webhooks_inboxHasANewAddress())
    close()
  }

  return (
    <div className="border-t border-line px-5 py-4 max-md:px-4">
      <p className="flex items-center gap-1 font-medium">
        <UntrustedText>{address}</UntrustedText>
        {mayManage ? <CopyButton value={address} name={m.webhooks_inboxAddressName()} /> : null}
      </p>
      <p className="mt-1 text-[0.8125rem] text-ink-soft">
        <span className={signingSecret === 'locked' ? 'text-caution' : undefined}>{secretTexts[signingSecret]()}</span>
        {mayManage ? null : m.webhooks_endOfTheAddress()}
      </p>
      {mayManage && !isTyping ? (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button ref={opener} size="small" onClick={() => setTyping(true)}>
            {hasSecret && signingSecret !== 'locked'
              ? m.webhooks_changeSigningSecret()
              : m.webhooks_enterSigningSecret()}
          </Button>
          {hasSecret ? (
            <Button size="small" aria-haspopup="dialog" onClick={() => setAsked('removal')}>
              {m.webhooks_removeSigningSecret()}
            </Button>
          ) : null}
          <Button size="small" aria-haspopup="dialog" onClick={() => setAsked('renewal')}>
            {m.webhooks_renewAddress()}
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
      {asked === 'renewal' && Renewal ? (
        <Renewal hasSecret={hasSecret} isSubscribed={isSubscribed} run={renew} onClose={close} />
      ) : null}
      {asked === 'removal' && Removal ? (
        <Removal onRemoved={onChange} onClose={close} focusAfter={() => opener.current} />
      ) : null}
    </div>
  )
}
