import { CircleCheck, Unplug } from 'lucide-react'
import { Timestamp } from '@/components/timestamp'
import { getConnection } from '@/lib/server/connection'
import { Failure, type FailureCode } from '@/lib/server/failure'
import { failures } from '@/lib/words/failures'
import { readLastFailure } from '@/lib/server/last-failure'
import { perform } from '@/lib/server/perform'
import type { Session } from '@/lib/server/session'
import * as words from '@/lib/words/overview'

type Answer = { milliseconds: number; failure: FailureCode | null }

async function ask(session: Session): Promise<Answer> {
  const started = performance.now()
  try {
    await perform(session, 'getStatus')
    return { milliseconds: Math.round(performance.now() - started), failure: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { milliseconds: Math.round(performance.now() - started), failure: error.code }
  }
}

/** Whether the service answers, asked while the page is made. */
export async function ConnectionCard({ session }: { session: Session }) {
  const { name, baseUrl } = getConnection(session.scope.connectionId)
  const { milliseconds, failure } = await ask(session)
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
          {words.connection}
        </h2>
        <p className="mt-0.5 wrap-anywhere text-ink-soft">
          {name === baseUrl.host ? name : words.at(name, baseUrl.host)}
        </p>
        {last && !failure ? (
          <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
            {words.lastTrouble} {failures[last.code]}, <Timestamp value={last.at.toISOString()} />
          </p>
        ) : null}
      </div>
      <p className={`flex items-center gap-2 font-medium ${failure ? 'text-negative' : 'text-positive'}`}>
        <Icon className="size-4.5" />
        {failure ? failures[failure] : words.answersInMs(milliseconds)}
      </p>
    </section>
  )
}
