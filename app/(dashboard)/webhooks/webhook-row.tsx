'use client'

import { useRef, useState } from 'react'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import { keepFocus } from '@/components/forms/form-elements'
import { DataTree } from '@/components/records/data-tree'
import { Timestamp } from '@/components/records/dates'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { LongText } from '@/components/ui/untrusted-text'
import { callDesk, CallError } from '@/lib/client/api-client'
import { useFocusLost } from '@/lib/client/page-lifecycle'
import type { ProbeResult, WebhookEntry } from '@/lib/domain/webhooks'
import { describeProbe, type Subscribed, SubscribeWebhook } from './subscribe-webhook'
import { WebhookHealth } from './webhook-health'
import * as m from '@/lib/messages/m'

function describeError(error: unknown): string {
  const said = error instanceof CallError ? error.problem?.errors : null
  if (typeof said !== 'object' || said === null) return m.webhooks_itCouldNotBeTried()
  const reasons = Object.values(said)
    .flat()
    .filter((word) => typeof word === 'string')
  return reasons.length > 0
    ? m.webhooks_notTriedTheAddress({ why: reasons.join(', ') })
    : m.webhooks_itCouldNotBeTried()
}

/** "Test": whether a URL responds; the server probes it without a delivery. */
export function ProbeButton({ address }: { address: string }) {
  const [told, setTold] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)

  async function probe(): Promise<void> {
    setAsking(true)
    try {
      const result = await callDesk<ProbeResult>('/webhooks/probe', { method: 'POST', body: { webhookUrl: address } })
      setTold(describeProbe(result).words)
    } catch (error) {
      setTold(describeError(error))
    } finally {
      setAsking(false)
    }
  }

  return (
    <span className="flex flex-wrap items-center gap-2">
      <output className="text-[0.8125rem] text-ink-soft empty:-mr-2">{told}</output>
      <Button
        aria-busy={isAsking || undefined}
        size="small"
        onClick={() => void probe()}
        reason={isAsking ? m.webhooks_itIsBeingTried() : null}
      >
        {m.webhooks_test()}
      </Button>
    </span>
  )
}

/** The page's state that a row needs. */
type RowContext = {
  known: readonly string[]
  own: string | null
  mayManage: boolean
  onSubscribed: (subscribed: Subscribed) => void
  readAgain: () => Promise<void>
  /** Called when a row disappears with the focus in it. */
  onFocusLost: () => void
}

const loadDialog = async () => (await import('./unsubscribe-webhook')).UnsubscribeWebhook

/** One subscription: its exact URL and actions. The URL is never a link. */
export function WebhookRow({ entry, isOwn, context }: { entry: WebhookEntry; isOwn: boolean; context: RowContext }) {
  const { address, createdAt, further } = entry
  const { known, own, mayManage, onSubscribed, readAgain, onFocusLost } = context
  const row = useFocusLost<HTMLLIElement>(onFocusLost)
  const changeButton = useRef<HTMLButtonElement>(null)
  const [isChanging, setChanging] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { part: Dialog } = useAskedPart(isAsking, loadDialog, () => setAsking(false))
  return (
    <li ref={row} data-webhook={address} className="grid gap-2 border-t border-line px-5 py-3 max-md:px-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p className="flex items-center gap-1 font-medium">
            <LongText label={m.webhooks_address()} text={address} />
            {isOwn && !mayManage ? null : <CopyButton value={address} name={m.webhooks_addressName()} />}
          </p>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-ink-soft">
            {isOwn ? (
              <Badge tone={entry.disabled ? 'neutral' : 'positive'}>{m.webhooks_inboxOfThisDesk()}</Badge>
            ) : null}
            {!isOwn && /^http:/iu.test(address) ? <Badge tone="caution">{m.webhooks_notHttps()}</Badge> : null}
            {createdAt ? (
              <span>
                {m.webhooks_since()} <Timestamp value={createdAt} />
              </span>
            ) : null}
          </p>
        </div>
        {mayManage ? (
          <div className="flex flex-wrap gap-2">
            {isOwn ? null : <ProbeButton address={address} />}
            <Button
              ref={changeButton}
              size="small"
              aria-expanded={isChanging}
              onClick={() => setChanging((was) => !was)}
            >
              {m.webhooks_change()}
            </Button>
            <Button size="small" tone="quiet-danger" aria-haspopup="dialog" onClick={() => setAsking(true)}>
              {m.webhooks_unsubscribe()}
            </Button>
          </div>
        ) : null}
      </div>
      <WebhookHealth entry={entry} own={own} mayManage={mayManage} onSubscribed={onSubscribed} readAgain={readAgain} />
      {further ? (
        <details className="text-[0.8125rem]">
          <summary className="cursor-pointer text-ink-soft">{m.webhooks_everythingElseTheServiceSaid()}</summary>
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
          <Button
            onMouseDown={keepFocus}
            onClick={() => {
              // The focused form disappears.
              changeButton.current?.focus()
              setChanging(false)
            }}
          >
            {m.webhooks_keepTheAddress()}
          </Button>
        </SubscribeWebhook>
      ) : null}
      {isAsking && Dialog ? <Dialog address={address} isOwn={isOwn} onClose={() => setAsking(false)} /> : null}
    </li>
  )
}
