'use client'

import { LoaderCircle } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { TextField } from '@/components/form/text-field'
import { LeaveGuard } from '@/components/form/leave-guard'
import { UntilReady } from '@/components/form/until-ready'
import { useEndpointForm } from '@/components/form/use-endpoint-form'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { callAgainWhenProven } from '@/lib/browser/call-again-when-proven'
import { call, callDesk } from '@/lib/browser/call'
import { CallError } from '@/lib/browser/call-error'
import { explainAddress } from '@/lib/contract/callback-address'
import type { InboxView, ProbeResult } from '@/lib/contract/inbox'
import { readSigningSecret } from '@/lib/contract/read-signing-secret'
import { webhookInput } from '@/lib/contract/webhooks'
import * as words from '@/lib/words/webhooks'
import { describeProbe } from './describe-probe'

/** What was subscribed. `secret` is told once; `kept` is an old address that should have gone and has not. */
export type Subscribed = { address: string; secret: string | null; kept: string | null }

type SubscribeWebhookProps = {
  /** The addresses that are subscribed, and the desk's own. */
  known: readonly string[]
  own: string | null
  /** An address that the new one takes the place of: it is removed once the new one stands. */
  replaces?: string
  onDone: (subscribed: Subscribed) => void
  /** A further button. */
  children?: ReactNode
}

/** Refuses what the probe found, at the field, as the service's own refusals stand. */
function refuse(found: string): CallError {
  return new CallError(400, 'bad-request', {
    type: 'about:blank',
    title: words.addressWasNotSubscribed,
    status: 400,
    errors: { webhookUrl: [found] },
  })
}

/** The form that subscribes an address. It is checked here, then probed by the desk's server; one that gives cause for doubt is sent at the second press. */
export function SubscribeWebhook({ known, own, replaces, onDone, children }: SubscribeWebhookProps) {
  const doubted = useRef<string | null>(null)
  const schema = webhookInput.superRefine(({ webhookUrl }, context) => {
    const message = explainAddress(webhookUrl, { known, own })
    if (message) context.addIssue({ code: 'custom', path: ['webhookUrl'], message })
  })

  async function assertReachable(webhookUrl: string): Promise<void> {
    if (doubted.current === webhookUrl) return
    const result = await callDesk<ProbeResult>('/webhooks/probe', { method: 'POST', body: { webhookUrl } })
    const { words: found, isDoubtful } = describeProbe(result)
    if (result.kind === 'hidden') throw refuse(found)
    if (!isDoubtful) return
    doubted.current = webhookUrl
    throw refuse(words.pressTheButtonAgain(found))
  }

  async function finish(done: Subscribed): Promise<Subscribed> {
    if (replaces === undefined) return done
    return call('unsubscribeWebhook', { body: { webhookUrl: replaces } }).then(
      () => done,
      () => ({ ...done, kept: replaces }),
    )
  }

  const state = useEndpointForm({
    schema,
    defaults: { webhookUrl: '' },
    fields: ['webhookUrl'],
    toBody: ({ webhookUrl }) => ({ webhookUrl: webhookUrl.trim() }),
    send: async (body, idempotencyKey) => {
      if (body.webhookUrl === own) {
        // The secret that the service tells once is the desk's to keep.
        await callAgainWhenProven(() => callDesk<InboxView>('/inbox/subscription', { method: 'POST', body: {} }))
        return finish({ address: own, secret: null, kept: null })
      }
      await assertReachable(body.webhookUrl)
      const { reply } = await callAgainWhenProven(() => call('subscribeWebhook', { body, idempotencyKey }))
      return finish({ address: body.webhookUrl, secret: readSigningSecret(reply), kept: null })
    },
    onDone: (done) => {
      form.reset({ webhookUrl: '' })
      onDone(done)
    },
  })
  const { form, problem, isSending, onSubmit } = state
  const isAtField = problem?.facts.code === 'bad-request'

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
      <UntilReady name={words.subscribe}>
        <TextField
          form={form}
          name="webhookUrl"
          label={replaces === undefined ? words.callbackAddress : words.newCallbackAddress}
          hint={words.httpsAddressThatTheService}
          inputMode="url"
          required
        />
        {problem && !isAtField ? (
          <ProblemNotice facts={problem.facts}>
            {problem.isLost ? <p className="mt-1 text-ink-soft">{words.nobodyCanSayYetWhether}</p> : null}
          </ProblemNotice>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" tone="primary" reason={isSending ? words.requestIsOnItsWay : null}>
            {isSending ? <LoaderCircle className="size-4 animate-spin" /> : null}
            {replaces === undefined ? words.subscribe : words.subscribeNewRemoveOld}
          </Button>
          {children}
        </div>
      </UntilReady>
    </form>
  )
}
