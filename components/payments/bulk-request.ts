import { describeFilter, type TableFilter } from '@/lib/domain/lists/filter-values'
import type { AppConfig } from '@/components/layout/app-config'
import type { TableView } from '@/components/data-table/table-view'
import { callDesk, createUuid, isLost } from '@/lib/client/api-client'
import { withMerchantParam } from '@/lib/client/page-context'
import type { BulkRequest, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import * as m from '@/lib/messages/m'

/** Describes a view's filters: "State: Pending, Search: ann"; "All payments" if there are none. */
export function describeView(
  filters: readonly TableFilter[],
  { values }: Pick<TableView, 'values'>,
  config: Pick<AppConfig, 'locale' | 'amounts'>,
): string {
  const chosen = filters
    .filter((filter) => values[filter.id] !== undefined)
    .map((filter) => `${filter.label()}: ${describeFilter(filter, values, config)}`)
  return chosen.length === 0 ? m.paymentSelection_allPayments() : chosen.join(', ').slice(0, 300)
}

/** The latest request until there is a reply to it: its body as JSON, its key, and when it was first sent (milliseconds). */
let unanswered: { text: string; key: string; since: number } | null = null

/** Within this time a repeat asks for the same list. Later it may have been carried out, and other payments may match. */
const SAME_LIST_MS = 5 * 60_000

/**
 * Creates a bulk cancellation and returns the URL of its page; the same request again, soon after a lost reply, leads to
 * the same page. Throws CallError.
 */
export async function beginBulk(request: BulkRequest): Promise<string> {
  const text = JSON.stringify(request)
  const now = Date.now()
  if (unanswered?.text !== text || now - unanswered.since > SAME_LIST_MS)
    unanswered = { text, key: createUuid(), since: now }
  const headers = { 'idempotency-key': unanswered.key }
  try {
    const { id } = await callDesk<BulkView>('/bulk', { method: 'POST', body: request, headers })
    unanswered = null
    return withMerchantParam(`/payments/bulk/${id}`)
  } catch (error) {
    if (!isLost(error)) unanswered = null
    throw error
  }
}
