import { BadgeCheck, CircleHelp, History, type LucideIcon, ShieldX } from 'lucide-react'
import type { InboxVerdict } from '@/lib/domain/webhooks'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { Badge, type Tone } from '../ui/badge'

const verdicts: Record<InboxVerdict, { label: Message; tone: Tone; icon: LucideIcon }> = {
  valid: { label: m.webhooks_signatureRight, tone: 'positive', icon: BadgeCheck },
  invalid: { label: m.webhooks_signatureWrongOrMissing, tone: 'negative', icon: ShieldX },
  stale: { label: m.webhooks_signedAtAnotherTime, tone: 'caution', icon: History },
  'not-checked': { label: m.webhooks_notChecked, tone: 'neutral', icon: CircleHelp },
}

/** What the check of a delivery's signature found. */
export function VerdictBadge({ verdict }: { verdict: InboxVerdict }) {
  const { label, tone, icon: Icon } = verdicts[verdict]
  return (
    <Badge tone={tone}>
      <Icon />
      {label()}
    </Badge>
  )
}
