'use client'

import { describeState } from '@/lib/domain/states'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import { useAppConfig } from '../layout/app-config'
import { badgeClasses, type Tone } from '../ui/badge'

const STATUS_BADGES: Record<string, { tone: Tone; mark: string }> = {
  pending: { tone: 'progress', mark: 'state-mark state-mark-clock' },
  scheduled: { tone: 'planned', mark: 'state-mark state-mark-calendar' },
  settled: { tone: 'positive', mark: 'state-mark state-mark-check' },
  rejected: { tone: 'negative', mark: 'state-mark state-mark-cross' },
  chargeback: { tone: 'negative', mark: 'state-mark state-mark-return' },
  created: { tone: 'progress', mark: 'state-mark state-mark-plus' },
  active: { tone: 'positive', mark: 'state-mark state-mark-check' },
}

/** Short Latin words need no bidi isolation: one element less in each row. */
const SHORT_LATIN_WORD = /^[A-Za-z]{1,11}$/u

const CANCELLED_BADGE = { tone: 'neutral', mark: 'state-mark state-mark-ban' } as const
const UNKNOWN_BADGE = { tone: 'neutral', mark: 'state-mark state-mark-dashed' } as const

/** The state of a payment or mandate, with an icon and tone; unknown states are neutral. */
export function StatusBadge({ status }: { status: string | null }) {
  const { states } = useAppConfig()
  if (!status) return '—'
  const word = status.trim().toLowerCase()
  const known = Object.hasOwn(STATUS_BADGES, word) ? STATUS_BADGES[word] : undefined
  const { tone, mark } = states.cancelled.includes(word) ? CANCELLED_BADGE : (known ?? UNKNOWN_BADGE)
  return (
    <span className={badgeClasses(tone, mark)}>
      {SHORT_LATIN_WORD.test(status) ? (
        describeState(status)
      ) : (
        <bdi className="truncate">{escapeInvisible(status)}</bdi>
      )}
    </span>
  )
}
