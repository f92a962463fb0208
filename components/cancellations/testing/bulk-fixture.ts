import type { BulkResultRow, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'

export const noCounts = {
  unsent: 0,
  sending: 0,
  requested: 0,
  cancelled: 0,
  'not-cancelled': 0,
  unknown: 0,
  'needs-person': 0,
  left: 0,
}

/** A pasted list that may be confirmed, of as many payments as `part` says. */
export const makeBulkView = (part: Partial<BulkView> & Pick<BulkView, 'count'>): BulkView => ({
  id: 'b1',
  state: 'ready',
  problem: null,
  wait: null,
  source: { kind: 'list', name: null },
  requestedBy: 'ann@shop.example',
  createdAt: '2026-11-28T08:00:00Z',
  startedAt: null,
  endedAt: null,
  approval: null,
  read: part.count,
  sums: [],
  digest: null,
  counts: { ...noCounts, unsent: part.count },
  written: 0,
  settled: 0,
  ...part,
})

/** A row that can be cancelled. */
export const makeBulkRow = (position: number): BulkResultRow => ({
  position,
  given: `p${position}`,
  paymentId: `p${position}`,
  facts: null,
  seen: null,
  verdict: 'cancellable',
  reason: null,
  cancellationId: null,
  outcome: 'unsent',
  why: null,
  detail: null,
  leftTo: null,
  closed: false,
})
