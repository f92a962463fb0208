import { CircleCheck, CircleDashed } from 'lucide-react'
import { readWebhooks } from '@/lib/contract/read-webhooks'
import { listKnownAgreements } from '@/lib/server/known-agreements'
import { readRecord } from '@/lib/server/read-record'
import type { Session } from '@/lib/server/session'
import * as words from '@/lib/words/overview'
import { Link } from '@/components/link'

/** `stands` null: it could not be found out; `isMute`: for the service answered and did not say. */
type Step = { name: string; href: string; stands: boolean | null; todo: string; isMute?: boolean }

/** Whether anything was said at all: the record's fields are not documented. */
function isSaid(record: unknown): boolean {
  if (typeof record === 'object' && record !== null) return Object.values(record).some((value) => value !== null)
  return record !== null && record !== undefined && record !== ''
}

async function readSteps(session: Session): Promise<Step[]> {
  const [merchant, webhooks, known] = await Promise.all([
    readRecord(session, 'getMerchant'),
    readRecord(session, 'listWebhooks'),
    listKnownAgreements(session).catch(() => null),
  ])
  const list = 'record' in webhooks ? readWebhooks(webhooks.record) : null
  const isMissing = 'failure' in merchant && merchant.failure.code === 'not-found'
  return [
    {
      name: words.merchant,
      href: '/merchant',
      stands: 'record' in merchant ? isSaid(merchant.record) || null : isMissing ? false : null,
      todo: words.credentialLeadsToNoMerchant,
      isMute: 'record' in merchant,
    },
    {
      name: words.agreement,
      href: '/agreements',
      stands: known ? known.agreements.length > 0 || (known.merchant === 'read' ? false : null) : null,
      todo: words.noAgreementWithAScheme,
    },
    {
      name: words.webhook,
      href: '/webhooks',
      stands: list ? list.entries.length > 0 : null,
      todo: words.serviceReportsChangesToNobody,
    },
  ]
}

/** What was found out last, by merchant: a page keeps its room with it while it looks again. */
const found = new Map<string, readonly Step[]>()

/** What is still to be set up, until merchant, agreement and webhook stand; then nothing. */
export async function SetUpSteps({ session }: { session: Session }) {
  const steps = await readSteps(session)
  found.set(session.scope.connectionId, steps)
  return <Steps steps={steps} />
}

/** The same as it was found out last; nothing where nobody has looked yet. */
export function FoundSteps({ session }: { session: Session }) {
  return (
    <div inert aria-hidden="true" className="contents">
      <Steps steps={found.get(session.scope.connectionId) ?? []} />
    </div>
  )
}

function Steps({ steps }: { steps: readonly Step[] }) {
  if (steps.every(({ stands }) => stands === true)) return null
  return (
    <section aria-labelledby="set-up" className="rounded-lg border border-line bg-surface p-5 max-md:p-4">
      <h2 id="set-up" className="font-semibold">
        {words.settingUp}
      </h2>
      <ol className="mt-2 grid gap-2 max-md:-mb-3 max-md:gap-0">
        {steps.map(({ name, href, stands, todo, isMute }) => {
          const Icon = stands ? CircleCheck : CircleDashed
          return (
            <li
              key={name}
              data-step={stands === null ? 'unknown' : stands ? 'stands' : 'missing'}
              className="relative flex items-start gap-2.5 max-md:py-3"
            >
              <Icon className={`mt-0.5 size-4.5 ${stands ? 'text-positive' : 'text-ink-faint'}`} />
              <span className="min-w-0">
                <Link
                  href={href}
                  className="font-medium text-accent-ink underline max-md:after:absolute max-md:after:inset-0"
                >
                  {name}
                </Link>{' '}
                <span className="text-ink-soft">
                  {stands === null
                    ? isMute
                      ? words.isNotKnownTheService
                      : words.couldNotBeLookedUp
                    : stands
                      ? words.isSetUp
                      : todo}
                </span>
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
