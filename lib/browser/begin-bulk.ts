import type { BulkRequest, BulkView } from '@/lib/contract/bulk'
import { callDesk } from './call'
import { keepMerchant } from './keep-merchant'

/** Has the list of a bulk cancellation made and answers the address of its page. Throws CallError. */
export async function beginBulk(request: BulkRequest): Promise<string> {
  const { id } = await callDesk<BulkView>('/bulk', { method: 'POST', body: request })
  return keepMerchant(`/payments/bulk/${id}`)
}
