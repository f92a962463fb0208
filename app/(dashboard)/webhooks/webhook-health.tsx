'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { Timestamp } from '@/components/records/dates'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RichMessage } from '@/components/ui/rich-message'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { createUuid, isLost } from '@/lib/client/api-client'
import type { WebhookEntry } from '@/lib/domain/webhooks'
import { type Subscribed, subscribe } from './subscribe-webhook'
import * as m from '@/lib/messages/m'

function DisabledSince({ at, because }: NonNullable<WebhookEntry['disabled']>) {
  const since = <Timestamp value={at} />
  const folded = because?.toLowerCase()
  if (folded === 'failing') return <RichMessage message={m.webhooks_disabledAsDeliveriesFailed} parts={{ since }} />
  if (folded === 'gone') return <RichMessage message={m.webhooks_disabledAsGone} parts={{ since }} />
  if (because === null) return <RichMessage message={m.webhooks_disabledSince} parts={{ since }} />
  return (
    <RichMessage
      message={m.webhooks_disabledBecause}
      parts={{ since, because: <UntrustedText>{because}</UntrustedText> }}
    />
  )
}

type WebhookHealthProps = {
  entry: WebhookEntry
  own: string | null
  mayManage: boolean
  onSubscribed: (subscribed: Subscribed) => void
  readAgain: () => Promise<void>
}

type DisabledProps = Omit<WebhookHealthProps, 'entry'> & {
  address: string
  disabled: NonNullable<WebhookEntry['disabled']>
}

function Disabled({ address, disabled, own, mayManage, onSubscribed, readAgain }: DisabledProps) {
  // The same for each attempt, so that one whose reply was lost is not made twice.
  const [key, setKey] = useState(createUuid)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => subscribe(address, own, key),
    onSuccess: (subscribed) => {
      setKey(createUuid())
      onSubscribed(subscribed)
    },
    // Where it was done, the list says so.
    onError: (cause) => (isLost(cause) ? readAgain().catch(() => undefined) : undefined),
  })
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-negative-soft px-3 py-2">
        <Badge tone="negative">{m.webhooks_disabled()}</Badge>
        <span className="min-w-0 flex-1 basis-60 text-negative">
          <DisabledSince {...disabled} />
        </span>
        {mayManage ? (
          <Button
            aria-busy={isPending || undefined}
            size="small"
            onClick={() => mutate()}
            reason={isPending ? m.webhooks_requestIsOnItsWay() : null}
          >
            {m.webhooks_enableAgain()}
          </Button>
        ) : null}
      </div>
      {error === null ? null : (
        <ProblemNotice problem={toProblemInfo(error)} doubt={isLost(error) ? m.forms_checkTheList() : null} />
      )}
    </>
  )
}

/** That deliveries to a subscription fail, or that the service has disabled it, which subscribing it again undoes. */
export function WebhookHealth({ entry, ...actions }: WebhookHealthProps) {
  const { address, failingSince, disabled } = entry
  // Another time that it is disabled is enabled under another key.
  if (disabled !== null) return <Disabled key={disabled.at} address={address} disabled={disabled} {...actions} />
  return failingSince === null ? null : (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-caution">
      <Badge tone="caution">{m.webhooks_failing()}</Badge>
      <span>
        <RichMessage message={m.webhooks_failingSince} parts={{ since: <Timestamp value={failingSince} /> }} />
      </span>
    </p>
  )
}
