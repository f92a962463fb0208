import type { Payment } from '@/lib/api-contract/payments'

/** A record that was found; `about` distinguishes it from others of the same name. */
export type SearchHit = {
  kind: 'Customer' | 'Mandate' | 'Agreement' | 'Payment'
  page: string
  title: string
  about: string
  /** The state as the service sent it. */
  status?: string | null
  payment?: Pick<Payment, 'amount' | 'currency' | 'paymentDate'>
}

/**
 * The kinds of record in which text was not searched: `unsupported` because the service refused such a search or answered
 * it wrongly, `untried` because nothing is known yet. `mindsCase`: the service's search is case-sensitive. `failed`: some of the searches failed.
 */
export type SearchReply = {
  hits: SearchHit[]
  untried: ('Customers' | 'Payments')[]
  unsupported: ('Customers' | 'Payments')[]
  mindsCase: boolean
  failed: boolean
}
