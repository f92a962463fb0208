'use client'

import { ChevronRight, CircleHelp, CircleX, type LucideIcon, ShieldX } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import type { Page } from '@/lib/api-contract/pagination'
import { callDesk } from '@/lib/client/api-client'
import { activityKey } from '@/lib/client/list-queries'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import { useReadAgain } from '@/lib/client/use-live-changes'
import type { ActivityOutcome, ActivityView } from '@/lib/domain/activity/activity'
import {
  activityOutcomeLabels,
  describeAction,
  describeObject,
  describeActivityResult,
  describeActivityReason,
  describeActor,
} from '@/lib/domain/activity/describe-activity'
import { type RowList, type ListSource, useListQuery } from '../infinite-list/use-list-query'
import { useAppConfig } from '../layout/app-config'
import { insertOnTop, chooseNewRows, readNewRows } from '../list-tools/new-rows'
import { Timestamp } from '../records/dates'
import { Badge, type Tone } from '../ui/badge'
import { UntrustedText } from '../ui/untrusted-text'
import * as m from '@/lib/messages/m'

const loadDetails = async () => (await import('./entry-details')).EntryDetails

/** The activity log as an infinite list. */
export function useActivity(
  query: string,
  loadId: string,
  options: Pick<ListSource<ActivityView>, 'failure' | 'gcTime'> = {},
): RowList<ActivityView> {
  return useListQuery({
    ...options,
    key: activityKey(query, loadId),
    fetchPage: (after, signal, quiet = false) => {
      const parameters = new URLSearchParams(query)
      parameters.set('limit', '100')
      if (after !== null) parameters.set('after', after)
      return callDesk<Page<ActivityView>>(`/activity?${parameters.toString()}`, { signal, quiet })
    },
  })
}

/** Adds new entries about these objects to the list as they are written. */
export function useNewEntries(list: RowList<ActivityView>, objects: readonly string[]): void {
  const readNew = async () => {
    const { offered, isOnTop } = chooseNewRows(list, await readNewRows(list, true))
    // More than a page at once, which nobody does to one record, is there after a reload.
    if (isOnTop || list.loaded === 0) insertOnTop(list, offered)
  }
  useReadAgain(['activity'], readNew, { ids: objects })
}

const OUTCOME_BADGES: Record<Exclude<ActivityOutcome, 'done'>, { tone: Tone; icon: LucideIcon }> = {
  refused: { tone: 'negative', icon: ShieldX },
  failed: { tone: 'negative', icon: CircleX },
  unknown: { tone: 'caution', icon: CircleHelp },
}

function OutcomeLabel({ outcome }: { outcome: ActivityOutcome }) {
  if (outcome === 'done')
    return (
      <span data-activity-outcome="done" className="text-[0.8125rem] text-ink-soft">
        {activityOutcomeLabels.done()}
      </span>
    )
  const { tone, icon: Icon } = OUTCOME_BADGES[outcome]
  return (
    <Badge tone={tone} data-activity-outcome={outcome}>
      <Icon />
      {activityOutcomeLabels[outcome]()}
    </Badge>
  )
}

type ActivityEntryProps = {
  entry: ActivityView
  isEmbedded?: boolean
  ref?: Ref<HTMLLIElement>
  /** Index and total in a virtualized list. */
  index?: number
  count?: number
  /** The height of the rows above that aren't rendered, in pixels. */
  above?: number
}

/** One activity log entry; expanding it shows everything recorded. */
export function ActivityEntry({ entry, isEmbedded = false, ref, index, count, above = 0 }: ActivityEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const frame = useRef<HTMLDetailsElement>(null)
  // The user may have opened it before hydration.
  useEffect(() => setOpen(frame.current?.open ?? false), [])
  const reason = describeActivityReason(entry)
  const { part: EntryDetails, failed } = useLazyModule(isOpen, loadDetails)
  const { locale } = useAppConfig()
  const answer = describeActivityResult(entry, locale)
  const object = describeObject(entry)
  return (
    <li
      ref={ref}
      data-index={index}
      aria-posinset={index === undefined ? undefined : index + 1}
      aria-setsize={count}
      data-row-id={entry.id}
      data-action={entry.action}
      className="activity-entry"
      style={above > 0 ? { marginTop: above } : undefined}
    >
      <details ref={frame} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="activity-row" data-slice={isEmbedded ? '' : undefined}>
          <ChevronRight aria-hidden className="activity-chevron" />
          <span className="activity-what">
            <span className="font-medium">{describeAction(entry)}</span>
            {isEmbedded || object === null ? null : (
              <span className="activity-object" title={entry.objectId}>
                <UntrustedText>{object}</UntrustedText>
              </span>
            )}
            {reason === null && answer === null ? null : (
              <span className="activity-why">
                {reason === null ? null : (
                  <>
                    {entry.action.startsWith('note.') ? m.activity_note() : m.activity_reason()}{' '}
                    <UntrustedText>{reason}</UntrustedText>{' '}
                  </>
                )}
                {answer === null ? null : <UntrustedText>{answer}</UntrustedText>}
              </span>
            )}
          </span>
          <span className="activity-who">
            <UntrustedText>{describeActor(entry)}</UntrustedText>
          </span>
          <span className="activity-outcome">{entry.outcome ? <OutcomeLabel outcome={entry.outcome} /> : null}</span>
          <span className="activity-when">
            <Timestamp value={entry.at} />
          </span>
        </summary>
        {isOpen && EntryDetails ? <EntryDetails entry={entry} /> : null}
        {failed ? (
          <p role="alert" className="activity-more">
            {m.activity_activityCouldNotBeLoaded()}
          </p>
        ) : null}
      </details>
    </li>
  )
}
