'use client'

import { useLazyModule } from '@/lib/client/use-lazy-module'
import * as m from '@/lib/messages/m'

const loadTimeline = async () => (await import('./timeline')).Timeline

type ActivitySliceProps = {
  /** The object kind in the log. */
  kind: 'customer' | 'agreement'
  /** The record's id and handle. */
  ids: readonly (string | null | undefined)[]
  /** A value that changes when there may be new entries. */
  at?: string | null
}

/** The activity of one record, loaded after everything more important. */
export function ActivitySlice({ kind, ids, at }: ActivitySliceProps) {
  const { part: Timeline, failed } = useLazyModule(true, loadTimeline)
  const objects = [...new Set(ids.filter((id): id is string => Boolean(id)))]
  if (objects.length === 0) return null
  return (
    <section aria-label={m.activity_activity()} className="border-t border-line py-4">
      <h2 className="mb-2 text-[0.8125rem] font-semibold">{m.activity_activity()}</h2>
      {Timeline ? <Timeline key={`${objects.join(' ')} ${at ?? ''}`} kind={kind} objects={objects} /> : null}
      {failed ? <p role="alert">{m.activity_activityCouldNotBeLoaded()}</p> : null}
    </section>
  )
}
