import { CircleCheck, CircleDashed } from 'lucide-react'
import Link from 'next/link'
import { readIdentity } from '@/lib/contract/read-identity'
import { readWebhooks } from '@/lib/contract/read-webhooks'
import { listKnownAgreements } from '@/lib/server/known-agreements'
import { readRecord } from '@/lib/server/read-record'
import type { Session } from '@/lib/server/session'

/** null: it could not be found out. */
type Step = { name: string; href: string; stands: boolean | null; todo: string }

async function readSteps(session: Session): Promise<Step[]> {
  const [merchant, webhooks, known] = await Promise.all([
    readRecord(session, 'getMerchant'),
    readRecord(session, 'listWebhooks'),
    listKnownAgreements(session).catch(() => null),
  ])
  const identity = 'record' in merchant ? readIdentity(merchant.record) : null
  const list = 'record' in webhooks ? readWebhooks(webhooks.record) : null
  const isMissing = 'failure' in merchant && merchant.failure.code === 'not-found'
  return [
    {
      name: 'Merchant',
      href: '/merchant',
      stands: identity ? identity.id !== null || identity.handle !== null || null : isMissing ? false : null,
      todo: 'The credential leads to no merchant yet.',
    },
    {
      name: 'Agreement',
      href: '/agreements',
      stands: known ? known.agreements.length > 0 || (known.merchant === 'read' ? false : null) : null,
      todo: 'No agreement with a scheme is known here: create one, or open one that exists.',
    },
    {
      name: 'Webhook',
      href: '/webhooks',
      stands: list ? list.entries.length > 0 : null,
      todo: 'The service reports changes to nobody: subscribe an address, or the inbox of this desk.',
    },
  ]
}

/** What is still to be set up, until merchant, agreement and webhook stand; then nothing. */
export async function SetUpSteps({ session }: { session: Session }) {
  const steps = await readSteps(session)
  if (steps.every(({ stands }) => stands === true)) return null
  return (
    <section aria-labelledby="set-up" className="rounded-lg border border-line bg-surface p-5 max-md:p-4">
      <h2 id="set-up" className="font-semibold">
        Setting up
      </h2>
      <ol className="mt-2 grid gap-2">
        {steps.map(({ name, href, stands, todo }) => {
          const Icon = stands ? CircleCheck : CircleDashed
          return (
            <li
              key={name}
              data-step={stands === null ? 'unknown' : stands ? 'stands' : 'missing'}
              className="flex items-start gap-2.5"
            >
              <Icon
                aria-hidden="true"
                className={`mt-0.5 size-4.5 shrink-0 ${stands ? 'text-positive' : 'text-ink-faint'}`}
              />
              <span className="min-w-0">
                <Link href={href} prefetch={false} className="font-medium text-accent-ink underline">
                  {name}
                </Link>{' '}
                <span className="text-ink-soft">
                  {stands === null ? 'could not be looked up just now.' : stands ? 'stands.' : todo}
                </span>
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
