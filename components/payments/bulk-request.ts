import { describeFilter, type TableFilter } from '@/components/list-filters/filter-values'
import type { AppConfig } from '@/components/layout/app-config'
import type { TableView } from '@/components/data-table/table-view'
import { callDesk, createUuid } from '@/lib/client/api-client'
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

/** The latest request until there is a reply to it: its body as JSON and its key. */
let unanswered: { text: string; key: string } | null = null

/**
 * Creates a bulk cancellation and returns the URL of its page; the same request again after a lost reply leads to the same
 * page. Throws CallError.
 */
export async function beginBulk(request: BulkRequest): Promise<string> {
  const text = JSON.stringify(request)
  if (unanswered?.text !== text) unanswered = { text, key: createUuid() }
  const headers = { 'idempotency-key': unanswered.key }
  const { id } = await callDesk<BulkView>('/bulk', { method: 'POST', body: request, headers })
  unanswered = null
  return withMerchantParam(`/payments/bulk/${id}`)
}
