'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { DataTree } from '@/components/records/data-tree'
import { PageHeader } from '@/components/layout/page-header'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { CallError, callEndpoint } from '@/lib/client/api-client'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { useReadAgain } from '@/lib/client/use-live-changes'
import { type InboxView, namesAll, parseWebhooks, type WebhookEntry } from '@/lib/domain/webhooks'
import type { SerializedFailure } from '@/lib/api-contract/problem'
import { Inbox, useInbox } from './inbox'
import { type Subscribed, SubscribedNotice, SubscribeWebhook } from './subscribe-webhook'
import { WebhookRow } from './webhook-row'
import * as m from '@/lib/messages/m'

type WebhooksPageProps = {
  result: { record: unknown } | { failure: SerializedFailure }
  inbox: InboxView
  mayManage: boolean
}

function Failed({ failure }: { failure: SerializedFailure }) {
  const router = useRouter()
  return <ProblemNotice problem={toProblemInfo(CallError.of(failure))} onRetry={() => router.refresh()} />
}

/** Keys that stay where an entry before goes or comes; the API may list a URL twice. */
function withKeys(entries: readonly WebhookEntry[]): { key: string; entry: WebhookEntry }[] {
  const times = new Map<string, number>()
  return entries.map((entry) => {
    const time = (times.get(entry.address) ?? 0) + 1
    times.set(entry.address, time)
    return { key: `${time} ${entry.address}`, entry }
  })
}

/** Webhook subscriptions, and deliveries to our own inbox. */
export function WebhooksPage({ result: loaded, inbox: initialInbox, mayManage }: WebhooksPageProps) {
  const router = useRouter()
  const inbox = useInbox(initialInbox)
  const { address: own } = inbox.view
  const [reread, setReread] = useState({ loaded, result: loaded })
  // Until the page itself is loaded again.
  const result = reread.loaded === loaded ? reread.result : loaded
  const heading = useRef<HTMLHeadingElement>(null)
  const [subscribed, setSubscribed] = useState<readonly Subscribed[]>([])
  const list = 'record' in result ? parseWebhooks(result.record) : null
  const known = list?.entries.map(({ address }) => address) ?? []

  // What others subscribe or unsubscribe. Not by a refresh of the page, which would extend the session.
  const readAgain = async () =>
    setReread({ loaded, result: { record: await callEndpoint('listWebhooks', { quiet: true }) } })
  useReadAgain(['webhook'], readAgain, { countsLoad: false, intervalMs: 2_000 })

  function takeIn(done: Subscribed): void {
    // A secret is shown only now: it stays until somebody says that it is kept.
    setSubscribed((all) => [done, ...all.filter(({ secret, kept }) => secret || kept)])
    router.refresh()
  }

  return (
    <>
      <PageHeader title={m.webhooks_webhooks()} about={m.webhooks_addressesThatTheServiceCalls()} />
      <div className="grid max-w-page grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
        <section aria-labelledby="subscriptions" className="rounded-lg border border-line bg-surface">
          <div className="p-5 max-md:px-4">
            <h2 id="subscriptions" ref={heading} tabIndex={-1} className="font-semibold">
              {m.webhooks_subscriptions()}
            </h2>
            {'failure' in result ? null : list === null ? (
              <>
                <p className="mt-1">{m.webhooks_noListOfSubscriptionsCan()}</p>
                <div className="mt-3 border-l border-line pl-3">
                  <DataTree value={result.record ?? null} />
                </div>
              </>
            ) : list.entries.length === 0 ? (
              <p className="mt-0.5 text-ink-soft">
                {mayManage ? m.webhooks_noneYetTheServiceCalls() : m.webhooks_noneYetAskAnAdmin()}
              </p>
            ) : null}
            {list && !namesAll(list) ? (
              <p className="mt-1 text-caution">
                {list.unread > 0 ? m.webhooks_inFurtherEntriesNoAddress({ unread: list.unread }) : ''}
                {list.isWhole ? '' : m.webhooks_serviceSays()}
              </p>
            ) : null}
          </div>
          {'failure' in result ? (
            <div className="px-5 pb-5 max-md:px-4">
              <Failed failure={result.failure} />
            </div>
          ) : null}
          {list && list.entries.length > 0 ? (
            <ul>
              {withKeys(list.entries).map(({ key, entry }) => (
                <WebhookRow
                  key={key}
                  entry={entry}
                  isOwn={entry.address === own}
                  context={{
                    known,
                    own,
                    mayManage,
                    onSubscribed: takeIn,
                    readAgain,
                    onFocusLost: () => heading.current?.focus(),
                  }}
                />
              ))}
            </ul>
          ) : null}
          {subscribed.map((one) => (
            <SubscribedNotice
              key={`${one.address} ${one.secret ?? ''}`}
              subscribed={one}
              onDone={() => {
                setSubscribed((all) => all.filter((other) => other !== one))
                heading.current?.focus()
              }}
            />
          ))}
          {mayManage ? (
            <div className="border-t border-line p-5 max-md:px-4">
              <SubscribeWebhook known={known} own={own} onDone={takeIn} />
            </div>
          ) : (
            <p className="border-t border-line px-5 py-3 text-ink-soft max-md:px-4">{m.webhooks_onlyAnAdmin()}</p>
          )}
        </section>
        <Inbox inbox={inbox} webhooks={list} mayManage={mayManage} />
      </div>
    </>
  )
}
