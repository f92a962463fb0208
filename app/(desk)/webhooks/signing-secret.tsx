'use client'

import { LoaderCircle } from 'lucide-react'
import { useEffect } from 'react'
import * as z from 'zod'
import { keepFocus } from '@/components/form/keep-focus'
import { LeaveGuard } from '@/components/form/leave-guard'
import { TextField } from '@/components/form/text-field'
import { UntilReady } from '@/components/form/until-ready'
import { useEndpointForm } from '@/components/form/use-endpoint-form'
import { tellDone } from '@/components/notices/tell-done'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { callAgainWhenProven } from '@/lib/browser/call-again-when-proven'
import { callDesk } from '@/lib/browser/call'
import type { InboxView } from '@/lib/contract/inbox'
import * as words from '@/lib/words/webhooks'

const schema = z.strictObject({ secret: z.string().min(1, words.mustNotBeEmpty).max(200, words.isTooLong) })

type SigningSecretProps = { onKept: (view: InboxView) => void; onLeave: () => void }

/** The form that keeps the inbox's signing secret, where the service shows it elsewhere. It is never shown again. */
export function SigningSecret({ onKept, onLeave }: SigningSecretProps) {
  const state = useEndpointForm({
    schema,
    defaults: { secret: '' },
    fields: ['secret'],
    toBody: ({ secret }) => ({ secret: secret.trim() }),
    send: (body) => callAgainWhenProven(() => callDesk<InboxView>('/inbox/signing-secret', { method: 'PUT', body })),
    onDone: (view) => {
      tellDone(words.signingSecretKept, words.signaturesOfWhatArrives)
      onKept(view)
    },
  })
  const { form, problem, isSending, onSubmit } = state
  const { setFocus } = form
  // The button that opened it is gone.
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
      <UntilReady name={words.signingSecret}>
        <TextField form={form} name="secret" label={words.signingSecret} hint={words.asTheServiceShows} required />
        {problem && problem.facts.code !== 'bad-request' ? <ProblemNotice facts={problem.facts} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" tone="primary" reason={isSending ? words.requestIsOnItsWay : null}>
            {isSending ? <LoaderCircle className="size-4 animate-spin" /> : null}
            {words.keepSecret}
          </Button>
          <Button onMouseDown={keepFocus} onClick={onLeave}>
            {words.cancel}
          </Button>
        </div>
      </UntilReady>
    </form>
  )
}
