'use client'

import { LoaderCircle } from 'lucide-react'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { InboxView } from '@/lib/contract/inbox'
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

  const { address, hasSigningSecret, messages, kept } = view
  return (
    <section aria-labelledby="inbox" className="rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-5 max-md:px-4">
        <div className="min-w-0 flex-1 basis-80">
          <h2 id="inbox" className="font-semibold">
            Inbox
          </h2>
          <p className="mt-0.5 text-ink-soft">
            A callback address of this desk. What arrives is shown and kept, the newest {kept}; it never changes a
            payment by itself, it only makes the desk read again.
          </p>
        </div>
        {mayManage && isSubscribed === false ? (
          <Button onClick={subscribe} reason={isPending ? 'The request is on its way.' : null}>
            {isPending ? <LoaderCircle aria-hidden="true" className="size-4 animate-spin" /> : null}
            Subscribe the inbox
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
          isSubscribed={isSubscribed}
          mayManage={mayManage}
          onChange={take}
        />
      ) : null}
      {failure === null ? null : (
        <p role="alert" className="border-t border-line px-5 py-3 text-caution max-md:px-4">
          The inbox could not be looked into; it is tried again.
        </p>
      )}
      {messages.length === 0 ? (
        <p className="border-t border-line px-5 py-4 text-ink-soft max-md:px-4">
          {isSubscribed ? 'Nothing has arrived yet. It will show here by itself.' : 'Nothing has arrived.'}
        </p>
      ) : (
        <ul data-inbox>
          {messages.map((message) => (
            <InboxEntry key={message.sequence} message={message} />
          ))}
        </ul>
      )}
      <output className="sr-only">{messages[0] ? `Newest delivery: number ${messages[0].sequence}` : ''}</output>
    </section>
  )
}
