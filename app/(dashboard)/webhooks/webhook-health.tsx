'use client'

import { useMutation } from '@tanstack/react-query'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { Timestamp } from '@/components/records/dates'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RichMessage } from '@/components/ui/rich-message'
import { UntrustedText } from '@/components/ui/untrusted-text'
import type { WebhookEntry } from '@/lib/domain/webhooks'
import { type Subscribed, subscribe } from './subscribe-webhook'
import * as m from '@/lib/messages/m'

function DisabledSince({ at, because }: NonNullable<WebhookEntry['disabled']>) {
  const since = <Timestamp value={at} />
  if (because === 'failing') return <RichMessage message={m.webhooks_disabledAsDeliveriesFailed} parts={{ since }} />
  if (because === 'gone') return <RichMessage message={m.webhooks_disabledAsGone} parts={{ since }} />
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
}

/** That deliveries to a subscription fail, or that the service has disabled it, which subscribing it again undoes. */
export function WebhookHealth({ entry, own, mayManage, onSubscribed }: WebhookHealthProps) {
  const { address, failingSince, disabled } = entry
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => subscribe(address, own),
    onSuccess: onSubscribed,
  })
  if (disabled === null)
    return failingSince === null ? null : (
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-caution">
        <Badge tone="caution">{m.webhooks_failing()}</Badge>
        <span>
          <RichMessage message={m.webhooks_failingSince} parts={{ since: <Timestamp value={failingSince} /> }} />
        </span>
      </p>
    )
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
      {error === null ? null : <ProblemNotice problem={toProblemInfo(error)} />}
    </>
  )
}
