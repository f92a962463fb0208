import type { ListId } from './capabilities'

/** The cookie that says how close the rows of lists stand in this browser: `compact`, or missing. */
export const densityCookie = 'debitdesk-density'

/** The lists that have views, by the page they are on. */
export const viewPages = { payments: 'listPayments', customers: 'listCustomers', mandates: 'listMandates' } as const
export type ViewPage = keyof typeof viewPages

/** The page of a list. */
export function pageOfList(list: ListId): ViewPage {
  return list === 'listPayments' ? 'payments' : list === 'listCustomers' ? 'customers' : 'mandates'
}

/** Filters, sort and columns of a list under a name: what follows the `?` of its address. */
export type SavedView = {
  viewId: string
  name: string
  query: string
  /** For everybody at the merchant; else for the one who saved it. */
  isShared: boolean
  savedBy: string
  /** Whether the reader may rename and delete it. */
  mayChange: boolean
  isDefault: boolean
}

/** What is needed to tell which view a list shows. */
export type NamedView = Pick<SavedView, 'name' | 'query'>

export type SavedViews = { views: SavedView[]; mayShare: boolean }
