import { Link } from '@/components/layout/link'
import { parseWebhooks } from '@/lib/domain/webhooks'
import type { Session } from '@/lib/server/auth/session'
import { readRecord } from '@/lib/server/upstream/page-data'
import * as m from '@/lib/messages/m'

/** That the service has disabled webhooks; nothing where it hasn't, or can't be asked. */
export async function DisabledWebhooks({ session }: { session: Session }) {
  const result = await readRecord(session, 'listWebhooks')
  const list = 'record' in result ? parseWebhooks(result.record) : null
  const count = list?.entries.filter(({ disabled }) => disabled !== null).length ?? 0
  if (count === 0) return null
  return (
    <section aria-labelledby="disabled-webhooks" className="rounded-lg border border-line bg-surface p-5 max-md:p-4">
      <h2 id="disabled-webhooks" className="font-semibold">
        {m.attention_disabledWebhooks()}
      </h2>
      <p className="mt-1 text-negative">{m.attention_disabledWebhooksNote({ count })}</p>
      <Link
        href="/webhooks"
        className="mt-2 inline-flex items-center font-medium text-accent-ink underline decoration-accent-ink/35 underline-offset-2 max-md:min-h-11"
      >
        {m.attention_openWebhooks()}
      </Link>
    </section>
  )
}
