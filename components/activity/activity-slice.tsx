'use client'

import { useLazyModule } from '@/lib/client/use-lazy-module'
import * as words from '@/lib/words/activity'

const loadTimeline = async () => (await import('./timeline')).Timeline

type ActivitySliceProps = {
  /** What it is, as the log calls it. */
  kind: 'payment' | 'customer' | 'agreement'
  /** Its id and its handle. */
  ids: readonly (string | null | undefined)[]
  /** Something that changes when there is more to tell. */
  at?: string | null
}

/** The slice of the activity log about one record, loaded with its page and after everything that is needed first. */
export function ActivitySlice({ kind, ids, at }: ActivitySliceProps) {
  const { part: Timeline, failed } = useLazyModule(true, loadTimeline)
  const objects = [...new Set(ids.filter((id): id is string => Boolean(id)))]
  if (objects.length === 0) return null
  return (
    <section aria-label={words.activity} className="border-t border-line py-4">
      <h2 className="mb-2 text-[0.8125rem] font-semibold">{words.activity}</h2>
      {Timeline ? <Timeline key={`${objects.join(' ')} ${at ?? ''}`} kind={kind} objects={objects} /> : null}
      {failed ? <p role="alert">{words.activityCouldNotBeLoaded}</p> : null}
    </section>
  )
}
