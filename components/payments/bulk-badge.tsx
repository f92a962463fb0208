import type { BulkState, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { describeBulkState, isBlocked } from '@/lib/domain/cancellations/bulk-messages'
import { Badge, type Tone } from '../ui/badge'

const tones: Record<BulkState, Tone> = {
  preparing: 'progress',
  ready: 'planned',
  failed: 'negative',
  awaiting: 'caution',
  declined: 'negative',
  starting: 'progress',
  running: 'progress',
  paused: 'caution',
  stopped: 'negative',
  finished: 'positive',
}

/** The state of a bulk. */
export function BulkBadge({ view }: { view: Pick<BulkView, 'state' | 'wait'> }) {
  return (
    <Badge tone={isBlocked(view) ? 'caution' : tones[view.state]} data-bulk={view.state}>
      {describeBulkState(view)}
    </Badge>
  )
}
