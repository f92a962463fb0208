import { CopyButton } from '@/components/copy-button'
import { Said } from '@/components/said'
import type { Subscribed } from './subscribe-webhook'
import * as words from '@/lib/words/webhooks'

/** What came of subscribing: the secret, which is told only now, and an old address that could not be removed. */
export function SubscribedNotice({ subscribed: { address, secret, kept } }: { subscribed: Subscribed }) {
  return (
    <output className="grid gap-1 border-t border-line bg-positive-soft px-5 py-4 max-md:px-4">
      <span className="font-medium">
        {words.subscribed} <Said>{address}</Said>
      </span>
      {secret ? (
        <span className="flex flex-wrap items-center gap-x-2">
          <span>
            {words.itsSigningSecretToldOnly} <code className="text-[0.8125rem] wrap-anywhere">{secret}</code>
          </span>
          <CopyButton value={secret} name="signing secret" />
        </span>
      ) : null}
      {kept ? (
        <span className="text-negative">
          {words.oldAddressCouldNot} <Said>{kept}</Said>
          {words.unsubscribeIt}
        </span>
      ) : null}
    </output>
  )
}
