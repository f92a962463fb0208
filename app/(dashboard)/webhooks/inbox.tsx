'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
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
import { useFocusLost } from '@/lib/client/page-lifecycle'
import { LIVE_INTERVAL_MS, useLiveQuery } from '@/lib/client/use-live-changes'
import { describeEvent } from '@/lib/domain/describe-event'
import { shortenId } from '@/lib/domain/ids'
import { buildPagePath } from '@/lib/domain/page-address'
import {
  findInboxAddresses,
  type InboxMessage,
  type InboxView,
  namesAll,
  parseEvent,
  type WebhookEntry,
  type WebhookList,
} from '@/lib/domain/webhooks'
import { InboxAddress } from './inbox-address'
import * as m from '@/lib/messages/m'

const every = 3_000
const queryKey = ['inbox']
/** Apart from the key above: what arrives must not make all of them be read again. */
const storedKey = ['stored deliveries']

/** The inbox, read again when something arrives (else polled every 3 s while the page is visible), and its subscription action. */
export function useInbox(initialInbox: InboxView) {
  const client = useQueryClient()
  const router = useRouter()
  const [isAllAsked, setAllAsked] = useState(false)
  const choosePolling = useLiveQuery(queryKey, ['inbox'])
  const { data: newest, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callDesk<InboxView>('/inbox', { signal, quiet: true }),
    initialData: initialInbox,
    // After Back it is what the page began with.
    initialDataUpdatedAt: 0,
    staleTime: every,
    refetchInterval: choosePolling(every),
    retry: false,
  })

  const needsStored = isAllAsked && !newest.isWhole
  const oldest = newest.messages.at(-1)?.sequence ?? 0
  const stored = useQuery({
    queryKey: storedKey,
    queryFn: ({ signal }) => callDesk<InboxView>('/inbox?all=1', { signal, quiet: true }),
    enabled: needsStored,
    staleTime: LIVE_INTERVAL_MS,
    // Soon where more have arrived since than the newest show: those between are in neither.
    refetchInterval: ({ state: { data } }) => ((data?.messages[0]?.sequence ?? 0) >= oldest ? LIVE_INTERVAL_MS : every),
    retry: false,
  })
  const older = stored.data?.messages.filter(({ sequence }) => sequence < oldest)
  const view = needsStored && older ? { ...newest, messages: [...newest.messages, ...older], isWhole: true } : newest

  /** Shows the reply to a change and reloads the subscriptions. */
  async function take(changed: InboxView): Promise<void> {
    // A poll that started before the change must not overwrite it.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, changed)
    // That poll may have been about a delivery.
    void client.invalidateQueries({ queryKey })
    router.refresh()
  }

  const subscription = useMutation({
    mutationFn: () => retryAfterStepUp(() => callDesk<InboxView>('/inbox/subscription', { method: 'POST', body: {} })),
    onSuccess: take,
  })
  const failure = error ?? (needsStored ? stored.error : null)
  return { view, failure, take, subscription, isAllAsked, askForAll: () => setAllAsked(true) }
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
  const { sequence, verdict, receivedAt, headers, body, times } = message
  const read = readBody(body)
  const event = parseEvent(read?.json)
  const { objectType, id, reference } = event
  const folder = objectType ? pages[objectType.toLowerCase()] : undefined
  const page = folder && id ? buildPagePath(folder, id) : null
  return (
    <li data-verdict={verdict} className="border-t border-line">
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2 hover:bg-sunken max-md:px-4">
          <ChevronRight aria-hidden className="-ml-1 size-4 shrink-0 text-ink-soft group-open:rotate-90" />
          <DeliveryLine
            name={describeEvent(event)}
            // Events of the same kind come many at once.
            reference={reference ?? (id ? shortenId(id) : `#${sequence}`)}
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

type ShowAllProps = { isAsked: boolean; onAsk: () => void; onFocusLost: () => void }

/** Asks for the older deliveries; gone once they are shown. */
function ShowAll({ isAsked, onAsk, onFocusLost }: ShowAllProps) {
  const place = useFocusLost<HTMLDivElement>(onFocusLost)
  return (
    <div ref={place} className="border-t border-line px-5 py-3 max-md:px-4">
      <Button
        aria-busy={isAsked || undefined}
        size="small"
        onClick={onAsk}
        reason={isAsked ? m.webhooks_requestIsOnItsWay() : null}
      >
        {m.webhooks_showAllDeliveries()}
      </Button>
    </div>
  )
}

type InboxProps = {
  inbox: ReturnType<typeof useInbox>
  /** The API's subscriptions; null if their list could not be read. */
  webhooks: WebhookList | null
  mayManage: boolean
}

/** Whether the inbox is subscribed, also at its address from before the desk moved; null if it is not known. */
function isListed(webhooks: WebhookList | null, address: string): boolean | null {
  if (webhooks && findInboxAddresses(webhooks, address).length > 0) return true
  return webhooks && namesAll(webhooks) ? false : null
}

/** Deliveries to our own callback URL, live. */
export function Inbox({ inbox, webhooks, mayManage }: InboxProps) {
  const { view, failure, take, subscription, isAllAsked, askForAll } = inbox
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
  const isEnabled = (entry: WebhookEntry) => entry.address === address && entry.disabled === null
  const isSubscribed = webhooks ? webhooks.entries.some(isEnabled) : null
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
          <Button
            aria-busy={isPending || undefined}
            onClick={subscribe}
            reason={isPending ? m.webhooks_requestIsOnItsWay() : null}
          >
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
          isSubscribed={isListed(webhooks, address)}
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
        <ul ref={list} data-inbox>
          {messages.map((message) => (
            <InboxEntry key={message.sequence} message={message} />
          ))}
        </ul>
      )}
      {isWhole ? null : (
        <ShowAll
          isAsked={isAllAsked}
          onAsk={askForAll}
          // The older ones come after the one that is last until then.
          onFocusLost={() => list.current?.lastElementChild?.querySelector('summary')?.focus({ preventScroll: true })}
        />
      )}
      <output className="sr-only">
        {messages[0] ? m.webhooks_newestDeliveryNumber({ sequence: messages[0].sequence }) : ''}
        {isAllAsked && isWhole ? `. ${m.webhooks_allDeliveriesAreShown({ count: messages.length })}` : ''}
      </output>
    </section>
  )
}
