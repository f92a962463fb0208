'use client'

import { CircleHelp, CircleX, type LucideIcon, ShieldX } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import type { ActivityOutcome, ActivityView } from '@/lib/contract/activity'
import {
  activityOutcomeWords,
  describeAction,
  describeObject,
  readActivityAnswer,
  readActivityReason,
} from '@/lib/format/describe-activity'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/activity'
import { DataTree } from '../data-tree'
import { Link } from '../link'
import { Said } from '../said'
import { Timestamp } from '../timestamp'
import { Badge, type Tone } from '../ui/badge'

const faces: Record<Exclude<ActivityOutcome, 'done'>, { tone: Tone; icon: LucideIcon }> = {
  refused: { tone: 'negative', icon: ShieldX },
  failed: { tone: 'negative', icon: CircleX },
  unknown: { tone: 'caution', icon: CircleHelp },
}

/** The pages of records, by the kind of what a row is about. */
const pages: Readonly<Record<string, `/${string}`>> = {
  payment: '/payments',
  customer: '/customers',
  mandate: '/mandates',
  agreement: '/agreements',
  bulk: '/payments/bulk',
}

/** The pages where others stand, which have none of their own. */
const places: Readonly<Record<string, readonly [page: `/${string}`, name: string]>> = {
  import: ['/customers/import', 'imports'],
  webhook: ['/webhooks', 'webhooks'],
  merchant: ['/merchant', 'merchant'],
  setting: ['/merchant', 'merchant'],
  user: ['/team', 'team'],
}

function OutcomeWord({ outcome }: { outcome: ActivityOutcome }) {
  if (outcome === 'done')
    return (
      <span data-activity-outcome="done" className="text-[0.8125rem] text-ink-soft">
        {activityOutcomeWords.done}
      </span>
    )
  const { tone, icon: Icon } = faces[outcome]
  return (
    <Badge tone={tone} data-activity-outcome={outcome}>
      <Icon />
      {activityOutcomeWords[outcome]}
    </Badge>
  )
}

function Everything({ entry }: { entry: ActivityView }) {
  const { id, objectKind, objectId, details, hash } = entry
  const folder = Object.hasOwn(pages, objectKind) ? pages[objectKind] : undefined
  const page = folder && objectId !== 'none' ? writePageAddress(folder, objectId) : null
  const [place, placeName] = (Object.hasOwn(places, objectKind) ? places[objectKind] : undefined) ?? [null, null]
  const name = page ? (objectKind === 'bulk' ? words.bulkCancellation : objectKind) : placeName
  const href = page ?? place
  return (
    <div className="activity-more">
      {href ? (
        <Link href={href} className="font-medium text-accent-ink underline">
          {words.open(name)}
        </Link>
      ) : null}
      <DataTree value={{ row: Number(id), kind: objectKind, object: objectId, ...details, hash }} />
    </div>
  )
}

type ActivityEntryProps = {
  entry: ActivityView
  isSlice?: boolean
  ref?: Ref<HTMLLIElement>
  /** Its place in a list of which a part is drawn, and how long that is. */
  index?: number
  count?: number
}

/** One row of the activity log: who, when, what, why and with what result; opened, everything that was written down. */
export function ActivityEntry({ entry, isSlice = false, ref, index, count }: ActivityEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const frame = useRef<HTMLDetailsElement>(null)
  // It may have been opened before this script ran.
  useEffect(() => setOpen(frame.current?.open ?? false), [])
  const reason = readActivityReason(entry)
  const answer = readActivityAnswer(entry)
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
    >
      <details ref={frame} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="activity-row" data-slice={isSlice ? '' : undefined}>
          <span className="activity-what">
            <span className="font-medium">{describeAction(entry)}</span>
            {isSlice || object === null ? null : (
              <span className="activity-object" title={entry.objectId}>
                <Said>{object}</Said>
              </span>
            )}
            {reason === null && answer === null ? null : (
              <span className="activity-why">
                {reason === null ? null : (
                  <>
                    {words.reason} <Said>{reason}</Said>{' '}
                  </>
                )}
                {answer === null ? null : <Said>{answer}</Said>}
              </span>
            )}
          </span>
          <span className="activity-who">
            <Said>{entry.actor === 'desk' ? words.deskItself : entry.actor}</Said>
          </span>
          <span className="activity-outcome">{entry.outcome ? <OutcomeWord outcome={entry.outcome} /> : null}</span>
          <span className="activity-when">
            <Timestamp value={entry.at} />
          </span>
        </summary>
        {isOpen ? <Everything entry={entry} /> : null}
      </details>
    </li>
  )
}
