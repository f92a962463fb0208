import { BadgeCheck, CircleHelp, History, type LucideIcon, ShieldX } from 'lucide-react'
import type { InboxMessage, InboxVerdict } from '@/lib/domain/webhooks'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { Timestamp } from '../records/dates'
import { Badge, type Tone } from '../ui/badge'
import { UntrustedText } from '../ui/untrusted-text'

const verdicts: Record<InboxVerdict, { label: Message; tone: Tone; icon: LucideIcon }> = {
  valid: { label: m.webhooks_signatureRight, tone: 'positive', icon: BadgeCheck },
  invalid: { label: m.webhooks_signatureWrongOrMissing, tone: 'negative', icon: ShieldX },
  stale: { label: m.webhooks_signedAtAnotherTime, tone: 'caution', icon: History },
  'not-checked': { label: m.webhooks_notChecked, tone: 'neutral', icon: CircleHelp },
}

/** What the check of a delivery's signature found. */
function VerdictBadge({ verdict }: { verdict: InboxVerdict }) {
  const { label, tone, icon: Icon } = verdicts[verdict]
  return (
    <Badge tone={tone}>
      <Icon />
      {label()}
    </Badge>
  )
}

type DeliveryLineProps = Pick<InboxMessage, 'verdict' | 'receivedAt' | 'times'> & {
  /** What it says happened, if it is an event. */
  name: string | null
  /** What its record is called, or what else tells it from others. */
  reference?: string | null
}

/** A delivery in one line: its event, how often it came, its signature and its time. */
export function DeliveryLine({ name, reference = null, times, verdict, receivedAt }: DeliveryLineProps) {
  return (
    <>
      <span className="min-w-0 flex-1 basis-48 font-medium wrap-anywhere">
        <UntrustedText>{name || m.webhooks_notAnEvent()}</UntrustedText>
        {reference === null ? null : (
          <span className="ml-2 font-normal text-ink-soft">
            <UntrustedText>{reference}</UntrustedText>
          </span>
        )}
        {times > 1 ? <span className="ml-2 font-normal text-ink-soft">{m.webhooks_times({ times })}</span> : null}
      </span>
      <VerdictBadge verdict={verdict} />
      <span className="text-[0.8125rem] text-ink-soft">
        <Timestamp value={receivedAt} isExact />
      </span>
    </>
  )
}
