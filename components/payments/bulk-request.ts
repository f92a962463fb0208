import { describeFilter, type TableFilter } from '@/lib/domain/lists/filter-values'
import type { AppConfig } from '@/components/layout/app-config'
import type { TableView } from '@/components/data-table/table-view'
import { callDesk } from '@/lib/client/api-client'
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

/** Creates a bulk cancellation and returns the URL of its page. Throws CallError. */
export async function beginBulk(request: BulkRequest): Promise<string> {
  const { id } = await callDesk<BulkView>('/bulk', { method: 'POST', body: request })
  return withMerchantParam(`/payments/bulk/${id}`)
}
