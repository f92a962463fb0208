'use client'

import { LoaderCircle } from 'lucide-react'
import { ProblemNotice } from '@/components/problem-notice'
import { Timestamp } from '@/components/timestamp'
import { Button } from '@/components/ui/button'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { InboxView } from '@/lib/contract/inbox'
import * as words from '@/lib/words/webhooks'
import { InboxAddress } from './inbox-address'
import { InboxEntry } from './inbox-entry'
import { useInbox } from './use-inbox'

type InboxProps = {
  first: InboxView
  /** Whether the service lists the inbox; null when its list could not be read. */
  isSubscribed: boolean | null
  mayManage: boolean
}

/** What arrived at the desk's own callback address, as it arrives. */
export function Inbox({ first, isSubscribed, mayManage }: InboxProps) {
  const { view, failure, take, subscription } = useInbox(first)
  const { mutate, isPending, error } = subscription
  const subscribe = () => mutate()

  const { address, hasSigningSecret, isLocked, refused, messages, kept } = view
  return (
    <section aria-labelledby="inbox" className="rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-5 max-md:px-4">
        <div className="min-w-0 flex-1 basis-80">
          <h2 id="inbox" className="font-semibold">
            {words.inbox}
          </h2>
          <p className="mt-0.5 text-ink-soft">{words.callbackAddressOfThisDesk(kept)}</p>
        </div>
        {mayManage && isSubscribed === false ? (
          <Button onClick={subscribe} reason={isPending ? words.requestIsOnItsWay : null}>
            {isPending ? <LoaderCircle className="size-4 animate-spin" /> : null}
            {words.subscribeTheInbox}
          </Button>
        ) : null}
      </div>
      {error === null ? null : (
        <div className="px-5 pb-5 max-md:px-4">
          <ProblemNotice facts={readProblemFacts(error)} onRetry={subscribe} />
        </div>
      )}
      {address ? (
        <InboxAddress
          address={address}
          hasSigningSecret={hasSigningSecret}
          isLocked={isLocked}
          isSubscribed={isSubscribed}
          mayManage={mayManage}
          onChange={take}
        />
      ) : null}
      {refused ? (
        <p data-refused={refused.count} className="border-t border-line px-5 py-3 text-caution max-md:px-4">
          {words.deliveriesWereRefused(refused.count)} <Timestamp value={refused.since} />
          {refused.count > 1 ? (
            <>
              {words.theLastOfThem} <Timestamp value={refused.last} />
            </>
          ) : null}
          . {words.refusedAreNotKept}
        </p>
      ) : null}
      {failure === null ? null : (
        <p role="alert" className="border-t border-line px-5 py-3 text-caution max-md:px-4">
          {words.inboxCouldNotBeLooked}
        </p>
      )}
      {messages.length === 0 ? (
        <p className="border-t border-line px-5 py-4 text-ink-soft max-md:px-4">
          {isSubscribed ? words.nothingHasArrivedYet : words.nothingHasArrived}
        </p>
      ) : (
        <ul data-inbox>
          {messages.map((message) => (
            <InboxEntry key={message.sequence} message={message} />
          ))}
        </ul>
      )}
      <output className="sr-only">{messages[0] ? words.newestDeliveryNumber(messages[0].sequence) : ''}</output>
    </section>
  )
}
