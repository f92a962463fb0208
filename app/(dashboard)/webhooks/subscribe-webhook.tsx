'use client'

import { RichMessage } from '@/components/ui/rich-message'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { HydratedFieldset } from '@/components/forms/before-hydration'
import { ConfirmRepeat } from '@/components/forms/confirm-repeat'
import { LeaveGuard } from '@/components/forms/leave-guard'
import { TextField, useEndpointForm } from '@/components/forms/use-endpoint-form'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { explainAddress } from '@/lib/api-contract/callback-address'
import { webhookInput } from '@/lib/api-contract/webhooks'
import { acceptGone, callDesk, callEndpoint, CallError, createUuid, retryAfterStepUp } from '@/lib/client/api-client'
import { type InboxView, parseSigningSecret, type ProbeResult } from '@/lib/domain/webhooks'
import * as m from '@/lib/messages/m'

/** Describes a probe's result and whether it is a warning. */
export function describeProbe(result: ProbeResult): { words: string; isDoubtful: boolean } {
  if (result.kind === 'own') return { words: m.webhooks_thisIsTheInbox(), isDoubtful: false }
  if (result.kind === 'hidden') return { words: m.webhooks_nameLeadsToAnAddress(), isDoubtful: true }
  if (result.kind === 'failed') {
    const told = {
      name: m.webhooks_nameCannotBeFound(),
      port: m.webhooks_portIsOne(),
      timeout: m.webhooks_nothingAnsweredWithinSeconds(),
      connection: m.webhooks_nothingAnswersThere(),
      certificate: m.webhooks_itsCertificateIsNotTrusted(),
    }[result.why]
    return { words: told, isDoubtful: true }
  }
  const { status, milliseconds } = result
  const answered = m.webhooks_itAnswersWithInMs({ status, milliseconds })
  if (status >= 300 && status < 400) return { words: m.webhooks_redirectWhichMayNot({ answered }), isDoubtful: true }
  if (status === 404 || status === 410)
    return { words: m.webhooks_nothingSeemsToStandThere({ answered }), isDoubtful: true }
  if (status >= 500) return { words: m.webhooks_failure({ answered }), isDoubtful: true }
  return { words: `${answered}.`, isDoubtful: false }
}

/** A new subscription. `secret` is shown only once; `kept` is an old URL that could not be removed. */
export type Subscribed = { address: string; secret: string | null; kept: string | null }

type SubscribeWebhookProps = {
  /** The subscribed URLs and the inbox's. */
  known: readonly string[]
  own: string | null
  /** A URL to replace: it is removed once the new one is subscribed. */
  replaces?: string
  onDone: (subscribed: Subscribed) => void
  children?: ReactNode
}

/** Subscribes a URL, which also enables one that the service disabled. Throws CallError. */
export async function subscribe(
  webhookUrl: string,
  own: string | null,
  idempotencyKey = createUuid(),
): Promise<Subscribed> {
  if (webhookUrl === own) {
    // The server stores the secret that the API reveals once.
    await retryAfterStepUp(() => callDesk<InboxView>('/inbox/subscription', { method: 'POST', body: {} }))
    return { address: own, secret: null, kept: null }
  }
  const { reply } = await retryAfterStepUp(() =>
    callEndpoint('subscribeWebhook', { body: { webhookUrl }, idempotencyKey }),
  )
  return { address: webhookUrl, secret: parseSigningSecret(reply), kept: null }
}

/** Reports the probe's finding as a field error, like the API's own validation errors. */
function refuse(found: string): CallError {
  return new CallError(400, 'bad-request', {
    type: 'about:blank',
    title: m.webhooks_addressWasNotSubscribed(),
    status: 400,
    errors: { webhookUrl: [found] },
  })
}

/** Subscribes a URL. It is validated here, then probed by the server; a doubtful one is sent on the second submit. */
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
    throw refuse(m.webhooks_pressTheButtonAgain({ found }))
  }

  async function finish(done: Subscribed): Promise<Subscribed> {
    if (replaces === undefined) return done
    return callEndpoint('unsubscribeWebhook', { body: { webhookUrl: replaces } })
      .catch(acceptGone)
      .then(
        () => done,
        () => ({ ...done, kept: replaces }),
      )
  }

  const state = useEndpointForm({
    schema,
    defaults: { webhookUrl: '' },
    repeat: 'doubtful',
    fields: ['webhookUrl'],
    toBody: ({ webhookUrl }) => ({ webhookUrl: webhookUrl.trim() }),
    prepare: async (body) => {
      if (body.webhookUrl !== own) await assertReachable(body.webhookUrl)
      return body
    },
    send: async ({ webhookUrl }, idempotencyKey) => finish(await subscribe(webhookUrl, own, idempotencyKey)),
    onDone: (done) => {
      form.reset({ webhookUrl: '' })
      onDone(done)
    },
    staysOpen: true,
  })
  const { form, problem, question, isSending, onSubmit } = state
  const isAtField = problem?.problem.code === 'bad-request'

  return (
    <>
      <form
        noValidate
        className="grid max-w-2xl gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSending) void onSubmit(event)
        }}
      >
        {form.formState.isDirty ? <LeaveGuard /> : null}
        <HydratedFieldset name={m.webhooks_subscribe()}>
          <TextField
            form={form}
            name="webhookUrl"
            label={replaces === undefined ? m.webhooks_callbackAddress() : m.webhooks_newCallbackAddress()}
            hint={m.webhooks_httpsAddressThatTheService()}
            inputMode="url"
            required
          />
          {problem && (problem.isLost || !isAtField) ? (
            <ProblemNotice problem={problem.problem} doubt={problem.isLost ? m.forms_checkTheList() : null} />
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Button
              aria-busy={isSending || undefined}
              type="submit"
              tone="primary"
              reason={isSending ? m.webhooks_requestIsOnItsWay() : null}
            >
              {replaces === undefined ? m.webhooks_subscribe() : m.webhooks_subscribeNewRemoveOld()}
            </Button>
            {children}
          </div>
        </HydratedFieldset>
      </form>
      <ConfirmRepeat question={question}>
        <p>{m.webhooks_checkTheList()}</p>
      </ConfirmRepeat>
    </>
  )
}

/** The result of subscribing: the secret, shown only now, so leaving asks first, and an old URL that could not be removed. */
export function SubscribedNotice({
  subscribed: { address, secret, kept },
  onDone,
}: {
  subscribed: Subscribed
  onDone: () => void
}) {
  const [isCopied, setCopied] = useState(false)
  const notice = useRef<HTMLOutputElement>(null)
  // The focused form may be gone, and what is shown only once must not be missed.
  useLayoutEffect(() => notice.current?.focus(), [])
  return (
    <output
      ref={notice}
      tabIndex={-1}
      className="grid gap-1 border-t border-line bg-positive-soft px-5 py-4 max-md:px-4"
    >
      <span className="font-medium">
        <RichMessage message={m.webhooks_subscribed} parts={{ address: <UntrustedText>{address}</UntrustedText> }} />
      </span>
      {secret && !isCopied ? <LeaveGuard loses="secret" /> : null}
      {secret ? (
        <span className="flex flex-wrap items-center gap-x-2">
          <span>
            {m.webhooks_itsSigningSecretToldOnly()} <code className="text-[0.8125rem] wrap-anywhere">{secret}</code>
          </span>
          <CopyButton value={secret} name={m.webhooks_signingSecretName()} onCopied={() => setCopied(true)} />
        </span>
      ) : null}
      {kept ? (
        <span className="text-negative">
          {m.webhooks_oldAddressCouldNot()} <UntrustedText>{kept}</UntrustedText>
          {m.webhooks_unsubscribeIt()}
        </span>
      ) : null}
      <Button size="small" className="mt-2 justify-self-start" onClick={onDone}>
        {m.webhooks_done()}
      </Button>
    </output>
  )
}
