import { RichMessage } from '@/components/ui/rich-message'
import { CircleCheck, CircleDashed, Unplug } from 'lucide-react'
import { Link } from '@/components/layout/link'
import { Timestamp } from '@/components/records/dates'
import { parseWebhooks } from '@/lib/domain/webhooks'
import { listKnownAgreements } from '@/lib/server/agreements/known-agreements'
import type { Session } from '@/lib/server/auth/session'
import { findUnsettledCancellations } from '@/lib/server/cancellations/queries'
import { AppError, type ErrorCode, errorTitles } from '@/lib/server/runtime/app-error'
import { callEndpoint } from '@/lib/server/upstream/call-endpoint'
import { getConnection } from '@/lib/server/upstream/connection'
import { readRecord } from '@/lib/server/upstream/page-data'
import { readLastFailure } from '@/lib/server/upstream/upstream-errors'
import { OpenCancellationsCard } from './open-cancellations'
import * as m from '@/lib/messages/m'

type StatusResult = { milliseconds: number; failure: ErrorCode | null }

async function measureStatus(session: Session): Promise<StatusResult> {
  const started = performance.now()
  try {
    await callEndpoint(session, 'getStatus')
    return { milliseconds: Math.round(performance.now() - started), failure: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { milliseconds: Math.round(performance.now() - started), failure: error.code }
  }
}

/** Whether the API responds, measured while rendering. */
export async function ConnectionCard({ session }: { session: Session }) {
  const { name, baseUrl } = getConnection(session.scope.connectionId)
  const { milliseconds, failure } = await measureStatus(session)
  const last = readLastFailure(session.scope.connectionId)
  const Icon = failure ? Unplug : CircleCheck
  return (
    <section
      aria-labelledby="connection"
      data-connection={failure ? 'failed' : 'connected'}
      className="grid gap-2 rounded-lg border border-line bg-surface p-5 max-md:p-4"
    >
      <div className="min-w-0">
        <h2 id="connection" className="font-semibold">
          {m.overview_connection()}
        </h2>
        <p className="mt-0.5 wrap-anywhere text-ink-soft">
          {name === baseUrl.host ? name : m.overview_at({ name, host: baseUrl.host })}
        </p>
        {last && !failure ? (
          <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
            <RichMessage
              message={m.overview_lastTrouble}
              parts={{ title: errorTitles[last.code](), at: <Timestamp value={last.at.toISOString()} /> }}
            />
          </p>
        ) : null}
      </div>
      <p className={`flex items-center gap-2 font-medium ${failure ? 'text-negative' : 'text-positive'}`}>
        <Icon className="size-4.5" />
        {failure ? errorTitles[failure]() : m.overview_answersInMs({ milliseconds })}
      </p>
    </section>
  )
}

/** The open cancellations as they are while the page is made. */
export async function OpenCancellations({ session }: { session: Session }) {
  return <OpenCancellationsCard initial={await findUnsettledCancellations(session.scope)} />
}

/** `stands` is null if unknown; `isMute`: because the API replied without saying. */
type Step = { name: string; href: string; stands: boolean | null; todo: string; isMute?: boolean }

/** Whether the record has any value: its fields are not documented. */
function hasAnyValue(record: unknown): boolean {
  if (typeof record === 'object' && record !== null) return Object.values(record).some((value) => value !== null)
  return record !== null && record !== undefined && record !== ''
}

async function readSteps(session: Session): Promise<Step[]> {
  const [merchant, webhooks, known] = await Promise.all([
    readRecord(session, 'getMerchant'),
    readRecord(session, 'listWebhooks'),
    listKnownAgreements(session).catch(() => null),
  ])
  const list = 'record' in webhooks ? parseWebhooks(webhooks.record) : null
  const isAnyDisabled = list?.entries.some(({ disabled }) => disabled !== null) ?? false
  const isMissing = 'failure' in merchant && merchant.failure.code === 'not-found'
  return [
    {
      name: m.overview_merchant(),
      href: '/merchant',
      stands: 'record' in merchant ? hasAnyValue(merchant.record) || null : isMissing ? false : null,
      todo: m.overview_credentialLeadsToNoMerchant(),
      isMute: 'record' in merchant,
    },
    {
      name: m.overview_agreement(),
      href: '/agreements',
      stands: known ? known.agreements.length > 0 || (known.merchant === 'read' ? false : null) : null,
      todo: m.overview_noAgreementWithAScheme(),
    },
    {
      name: m.overview_webhook(),
      href: '/webhooks',
      stands: list ? list.entries.length > 0 && !isAnyDisabled : null,
      todo: isAnyDisabled ? m.overview_serviceHasDisabledAWebhook() : m.overview_serviceReportsChangesToNobody(),
    },
  ]
}

/** The last result by merchant, which reserves the space while it is checked again. */
const lastSteps = new Map<string, readonly Step[]>()

/** The setup steps; nothing once merchant, agreement and webhook are set up. */
export async function SetUpSteps({ session }: { session: Session }) {
  const steps = await readSteps(session)
  lastSteps.set(session.scope.connectionId, steps)
  return <Steps steps={steps} />
}

/** The last known setup steps as a placeholder; nothing before the first check. */
export function LastSetUpSteps({ session }: { session: Session }) {
  return (
    <div inert aria-hidden="true" className="contents">
      <Steps steps={lastSteps.get(session.scope.connectionId) ?? []} />
    </div>
  )
}

function Steps({ steps }: { steps: readonly Step[] }) {
  if (steps.every(({ stands }) => stands === true)) return null
  return (
    <section aria-labelledby="set-up" className="rounded-lg border border-line bg-surface p-5 max-md:p-4">
      <h2 id="set-up" className="font-semibold">
        {m.overview_settingUp()}
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
                      ? m.overview_isNotKnownTheService()
                      : m.overview_couldNotBeLookedUp()
                    : stands
                      ? m.overview_isSetUp()
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
