'use client'

import { BadgeCheck, CircleHelp, History, ShieldX, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { DataTree } from '@/components/data-tree'
import { Said } from '@/components/said'
import { Timestamp } from '@/components/timestamp'
import { Badge, type Tone } from '@/components/ui/badge'
import type { InboxMessage, InboxVerdict } from '@/lib/contract/inbox'
import { readEvent } from '@/lib/contract/read-event'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/webhooks'
import { Link } from '@/components/link'

const verdicts: Record<InboxVerdict, { words: string; tone: Tone; icon: LucideIcon }> = {
  valid: { words: words.signatureRight, tone: 'positive', icon: BadgeCheck },
  invalid: { words: words.signatureWrongOrMissing, tone: 'negative', icon: ShieldX },
  stale: { words: words.signedAtAnotherTime, tone: 'caution', icon: History },
  'not-checked': { words: words.notChecked, tone: 'neutral', icon: CircleHelp },
}

function readBody(body: string | null): { json: unknown } | null {
  if (body === null) return null
  try {
    return { json: JSON.parse(body) }
  } catch {
    return null
  }
}

/** The records that have a page, by the word that events use for them. */
const pages: Record<string, `/${string}`> = { payment: '/payments', mandate: '/mandates', customer: '/customers' }

/** One delivery: what it says it is about, the verdict on its signature, and opened, all of it. */
export function InboxEntry({ message }: { message: InboxMessage }) {
  const [isOpen, setOpen] = useState(false)
  const { verdict, receivedAt, headers, body, times } = message
  const { words: judged, tone, icon: Icon } = verdicts[verdict]
  const read = readBody(body)
  const { objectType, eventType, id } = readEvent(read?.json)
  const folder = objectType ? pages[objectType.toLowerCase()] : undefined
  const page = folder && id ? writePageAddress(folder, id) : null
  return (
    <li data-verdict={verdict} className="border-t border-line">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2 hover:bg-sunken max-md:px-4">
          <span className="min-w-0 flex-1 basis-48 font-medium">
            <Said>{[objectType, eventType].filter(Boolean).join(' ') || words.notAnEvent}</Said>
            {times > 1 ? <span className="ml-2 font-normal text-ink-soft">{words.times(times)}</span> : null}
          </span>
          <Badge tone={tone}>
            <Icon />
            {judged}
          </Badge>
          <span className="text-[0.8125rem] text-ink-soft">
            <Timestamp value={receivedAt} />
          </span>
        </summary>
        {isOpen ? (
          <div className="grid gap-4 px-5 pt-1 pb-4 max-md:px-4">
            {page ? (
              <Link href={page} className="font-medium text-accent-ink underline">
                {words.open} {objectType?.toLowerCase()}
              </Link>
            ) : null}
            <div>
              <h3 className="mb-1.5 text-[0.8125rem] font-semibold">{words.body}</h3>
              {read ? (
                <DataTree value={read.json} />
              ) : (
                <pre className="max-h-80 overflow-auto rounded-md bg-sunken p-3 text-xs wrap-anywhere whitespace-pre-wrap">
                  {body === null ? words.bodyCannotBeOpened : body || words.empty}
                </pre>
              )}
            </div>
            <div>
              <h3 className="mb-1.5 text-[0.8125rem] font-semibold">{words.headers}</h3>
              <DataTree value={headers} />
            </div>
          </div>
        ) : null}
      </details>
    </li>
  )
}
