'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LoaderCircle } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { showToast } from '@/components/feedback/toast-store'
import { Link } from '@/components/layout/link'
import { DataTree } from '@/components/records/data-tree'
import { Timestamp } from '@/components/records/dates'
import { Button } from '@/components/ui/button'
import { DeliveryLine } from '@/components/webhooks/delivery-line'
import { callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import { describeEvent } from '@/lib/domain/describe-event'
import { buildPagePath } from '@/lib/domain/page-address'
import { type InboxMessage, type InboxView, parseEvent } from '@/lib/domain/webhooks'
import { InboxAddress } from './inbox-address'
import * as m from '@/lib/messages/m'

const every = 3_000
const queryKey = ['inbox']

/** The inbox, read again when something arrives (else polled every 3 s while the page is visible), and its subscription action. */
export function useInbox(initialInbox: InboxView) {
  const client = useQueryClient()
  const router = useRouter()
  const [isAll, setAll] = useState(false)
  const choosePolling = useLiveQuery(queryKey, ['inbox'])
  const { data: view, error: failure } = useQuery({
    queryKey: [...queryKey, isAll],
    queryFn: ({ signal }) => callDesk<InboxView>(isAll ? '/inbox?all=1' : '/inbox', { signal, quiet: true }),
    initialData: () => client.getQueryData<InboxView>([...queryKey, false]) ?? initialInbox,
    // After Back it is what the page began with.
    initialDataUpdatedAt: 0,
    staleTime: every,
    refetchInterval: choosePolling(every),
    retry: false,
  })

  /** Shows the reply to a change and reloads the subscriptions. */
  async function take(changed: InboxView): Promise<void> {
    // A poll that started before the change must not overwrite it.
    await client.cancelQueries({ queryKey })
    client.setQueriesData<InboxView>(
      { queryKey },
      (held) => held && { ...changed, messages: held.messages, isWhole: held.isWhole },
    )
    router.refresh()
  }

  const subscription = useMutation({
    mutationFn: () => retryAfterStepUp(() => callDesk<InboxView>('/inbox/subscription', { method: 'POST', body: {} })),
    onSuccess: take,
  })
  return { view, failure, take, subscription, isAll, showAll: () => setAll(true) }
}

function readBody(body: string | null): { json: unknown } | null {
  if (body === null) return null
  try {
    return { json: JSON.parse(body) }
  } catch {
    return null
  }
}

/** Record pages by the event's object type. */
const pages: Record<string, `/${string}`> = { payment: '/payments', mandate: '/mandates', customer: '/customers' }

/** One delivery: its subject and signature verdict; expanded, all of it. */
export function InboxEntry({ message }: { message: InboxMessage }) {
  const [isOpen, setOpen] = useState(false)
  const { verdict, receivedAt, headers, body, times } = message
  const read = readBody(body)
  const event = parseEvent(read?.json)
  const { objectType, id } = event
  const folder = objectType ? pages[objectType.toLowerCase()] : undefined
  const page = folder && id ? buildPagePath(folder, id) : null
  return (
    <li data-verdict={verdict} className="border-t border-line">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2 hover:bg-sunken max-md:px-4">
          <DeliveryLine
            name={describeEvent(event)}
            reference={event.reference}
            times={times}
            verdict={verdict}
            receivedAt={receivedAt}
          />
        </summary>
        {isOpen ? (
          <div className="grid gap-4 px-5 pt-1 pb-4 max-md:px-4">
            {page ? (
              <Link href={page} className="font-medium text-accent-ink underline">
                {m.activity_open({ kind: objectType?.toLowerCase() ?? '' })}
              </Link>
            ) : null}
            <div>
              <h3 className="mb-1.5 text-[0.8125rem] font-semibold">{m.webhooks_body()}</h3>
              {read ? (
                <DataTree value={read.json} />
              ) : (
                <pre className="max-h-80 overflow-auto rounded-md bg-sunken p-3 text-xs wrap-anywhere whitespace-pre-wrap">
                  {body === null ? m.webhooks_bodyCannotBeOpened() : body || m.webhooks_empty()}
                </pre>
              )}
            </div>
            <div>
              <h3 className="mb-1.5 text-[0.8125rem] font-semibold">{m.webhooks_headers()}</h3>
              <DataTree value={headers} />
            </div>
          </div>
        ) : null}
      </details>
    </li>
  )
}

type InboxProps = {
  inbox: ReturnType<typeof useInbox>
  /** Whether the API lists the inbox; null if its list could not be read. */
  isSubscribed: boolean | null
  /** Whether an inbox that isn't listed is not subscribed. */
  isListWhole: boolean
  mayManage: boolean
}

/** Deliveries to our own callback URL, live. */
export function Inbox({ inbox, isSubscribed, isListWhole, mayManage }: InboxProps) {
  const { view, failure, take, subscription, isAll, showAll } = inbox
  const { mutate, isPending, error } = subscription
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const subscribe = () =>
    mutate(undefined, {
      onSuccess: () => {
        // The pressed button disappears.
        heading.current?.focus()
        showToast(m.webhooks_inboxIsSubscribed(), '', { isBrief: true })
      },
    })

  const { address, signingSecret, refused, messages, isWhole, kept } = view
  return (
    <section aria-labelledby="inbox" className="rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-5 max-md:px-4">
        <div className="min-w-0 flex-1 basis-80">
          <h2 id="inbox" ref={heading} tabIndex={-1} className="font-semibold">
            {m.webhooks_inbox()}
          </h2>
          <p className="mt-0.5 text-ink-soft">{m.webhooks_callbackAddressOfThisDesk({ kept })}</p>
        </div>
        {mayManage && isSubscribed === false ? (
          <Button onClick={subscribe} reason={isPending ? m.webhooks_requestIsOnItsWay() : null}>
            {isPending ? <LoaderCircle className="size-4 animate-spin" /> : null}
            {m.webhooks_subscribeTheInbox()}
          </Button>
        ) : null}
      </div>
      {error === null ? null : (
        <div className="px-5 pb-5 max-md:px-4">
          <ProblemNotice problem={toProblemInfo(error)} onRetry={subscribe} />
        </div>
      )}
      {address ? (
        <InboxAddress
          address={address}
          signingSecret={signingSecret}
          isSubscribed={isSubscribed || isListWhole ? isSubscribed : null}
          mayManage={mayManage}
          onChange={take}
        />
      ) : null}
      {refused ? (
        <p data-refused={refused.count} className="border-t border-line px-5 py-3 text-caution max-md:px-4">
          {m.webhooks_deliveriesWereRefused({ count: refused.count })} <Timestamp value={refused.since} />
          {refused.count > 1 ? (
            <>
              {m.webhooks_theLastOfThem()} <Timestamp value={refused.last} />
            </>
          ) : null}
          . {m.webhooks_refusedAreNotKept()}
        </p>
      ) : null}
      {failure === null ? null : (
        <p role="alert" className="border-t border-line px-5 py-3 text-caution max-md:px-4">
          {m.webhooks_inboxCouldNotBeLooked()}
        </p>
      )}
      {messages.length === 0 ? (
        <p className="border-t border-line px-5 py-4 text-ink-soft max-md:px-4">
          {isSubscribed ? m.webhooks_nothingHasArrivedYet() : m.webhooks_nothingHasArrived()}
        </p>
      ) : (
        <ul ref={list} data-inbox tabIndex={-1}>
          {messages.map((message) => (
            <InboxEntry key={message.sequence} message={message} />
          ))}
        </ul>
      )}
      {isWhole || isAll ? null : (
        <div className="border-t border-line px-5 py-3 max-md:px-4">
          <Button
            size="small"
            onClick={() => {
              showAll()
              // The pressed button disappears.
              list.current?.focus({ preventScroll: true })
            }}
          >
            {m.webhooks_showAllDeliveries()}
          </Button>
        </div>
      )}
      <output className="sr-only">
        {messages[0] ? m.webhooks_newestDeliveryNumber({ sequence: messages[0].sequence }) : ''}
      </output>
    </section>
  )
}
