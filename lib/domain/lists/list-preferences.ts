import type { ListId } from './capabilities'

/** Cookie with the row density of lists in this browser: `compact`, or missing for the default. */
export const densityCookie = 'debitdesk-density'

/** The lists with saved views by page. */
export const viewPages = { payments: 'listPayments', customers: 'listCustomers', mandates: 'listMandates' } as const
export type ViewPage = keyof typeof viewPages

export function pageOfList(list: ListId): ViewPage {
  return list === 'listPayments' ? 'payments' : list === 'listCustomers' ? 'customers' : 'mandates'
}

/** Named filters, sort order and columns of a list; `query` is the query string of its page. */
export type SavedView = {
  viewId: string
  name: string
  query: string
  /** Shared with the merchant's whole team; otherwise private to the person who saved it. */
  isShared: boolean
  savedBy: string
  /** Whether the reader may rename and delete it. */
  mayChange: boolean
  isDefault: boolean
}

export type NamedView = Pick<SavedView, 'name' | 'query' | 'isDefault'>

export type SavedViews = { views: SavedView[]; mayShare: boolean }
