'use client'

import { useState } from 'react'
import { CopyButton } from '@/components/copy-button'
import { DataTree } from '@/components/data-tree'
import { keepFocus } from '@/components/form/keep-focus'
import { LongText } from '@/components/long-text'
import { Timestamp } from '@/components/timestamp'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { useLoaded } from '@/components/use-loaded'
import type { WebhookEntry } from '@/lib/contract/read-webhooks'
import * as words from '@/lib/words/webhooks'
import { ProbeButton } from './probe-button'
import { type Subscribed, SubscribeWebhook } from './subscribe-webhook'

/** What a row must know of the page that it stands on. */
type RowContext = {
  known: readonly string[]
  own: string | null
  mayManage: boolean
  onSubscribed: (subscribed: Subscribed) => void
}

const loadDialog = async () => (await import('./unsubscribe-webhook')).UnsubscribeWebhook

/** One subscription: its address, exactly, and what can be done with it. An address is never a link. */
export function WebhookRow({ entry, isOwn, context }: { entry: WebhookEntry; isOwn: boolean; context: RowContext }) {
  const { address, createdAt, further } = entry
  const { known, own, mayManage, onSubscribed } = context
  const [isChanging, setChanging] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { part: Dialog, failed } = useLoaded(isAsking, loadDialog)
  return (
    <li data-webhook={address} className="grid gap-2 border-t border-line px-5 py-3 max-md:px-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p className="flex items-center gap-1 font-medium">
            <LongText label={words.address} text={address} />
            {isOwn && !mayManage ? null : <CopyButton value={address} name={words.address.toLowerCase()} />}
          </p>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-ink-soft">
            {isOwn ? <Badge tone="positive">{words.inboxOfThisDesk}</Badge> : null}
            {!isOwn && /^http:/iu.test(address) ? <Badge tone="caution">{words.notHttps}</Badge> : null}
            {createdAt ? (
              <span>
                {words.since} <Timestamp value={createdAt} />
              </span>
            ) : null}
          </p>
        </div>
        {mayManage ? (
          <div className="flex flex-wrap gap-2">
            {isOwn ? null : <ProbeButton address={address} />}
            <Button size="small" aria-expanded={isChanging} onClick={() => setChanging((was) => !was)}>
              {words.change}
            </Button>
            <Button size="small" tone="quiet-danger" aria-haspopup="dialog" onClick={() => setAsking(true)}>
              {words.unsubscribe}
            </Button>
          </div>
        ) : null}
      </div>
      {further ? (
        <details className="text-[0.8125rem]">
          <summary className="cursor-pointer text-ink-soft">{words.everythingElseTheServiceSaid}</summary>
          <div className="mt-2">
            <DataTree value={further} />
          </div>
        </details>
      ) : null}
      {isChanging ? (
        <SubscribeWebhook
          known={known}
          own={own}
          replaces={address}
          onDone={(done) => {
            setChanging(false)
            onSubscribed(done)
          }}
        >
          <Button onMouseDown={keepFocus} onClick={() => setChanging(false)}>
            {words.keepTheAddress}
          </Button>
        </SubscribeWebhook>
      ) : null}
      {failed ? <p role="alert">{words.dialogCouldNotBeLoaded}</p> : null}
      {isAsking && Dialog ? <Dialog address={address} isOwn={isOwn} onClose={() => setAsking(false)} /> : null}
    </li>
  )
}
