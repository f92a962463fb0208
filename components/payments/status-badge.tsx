'use client'

import {
  Ban,
  CalendarClock,
  CircleCheck,
  CircleDashed,
  CirclePlus,
  CircleX,
  Clock,
  type LucideIcon,
  Undo2,
} from 'lucide-react'
import { useDeskFacts } from '../desk-facts'
import { Badge, type Tone } from '../ui/badge'

const faces: Record<string, { tone: Tone; icon: LucideIcon }> = {
  pending: { tone: 'progress', icon: Clock },
  scheduled: { tone: 'planned', icon: CalendarClock },
  settled: { tone: 'positive', icon: CircleCheck },
  rejected: { tone: 'negative', icon: CircleX },
  chargeback: { tone: 'negative', icon: Undo2 },
  created: { tone: 'progress', icon: CirclePlus },
  active: { tone: 'positive', icon: CircleCheck },
}

const cancelled = { tone: 'neutral', icon: Ban } as const
const unknown = { tone: 'neutral', icon: CircleDashed } as const

/** The state of a payment or a mandate: the word as it came, with an icon and a tone; a state that nobody foresaw is neutral. */
export function StatusBadge({ status }: { status: string | null }) {
  const { states } = useDeskFacts()
  if (!status) return <span>—</span>
  const word = status.trim().toLowerCase()
  const known = Object.hasOwn(faces, word) ? faces[word] : undefined
  const { tone, icon: Icon } = states.cancelled.includes(word) ? cancelled : (known ?? unknown)
  return (
    <Badge tone={tone}>
      <Icon aria-hidden="true" strokeWidth={2.25} />
      <span className="truncate">{status}</span>
    </Badge>
  )
}
