/** A record that was found; `about` is what tells it from others of its name. */
export type SearchHit = {
  kind: 'Customer' | 'Mandate' | 'Agreement' | 'Payment'
  page: string
  title: string
  about: string
}

/**
 * `untried` are the kinds of record in which words could not be looked for; `isCaseSensitive`: the service tells capital
 * letters from small ones; `failed`: some place did not answer.
 */
export type SearchReply = {
  hits: SearchHit[]
  untried: ('Customers' | 'Payments')[]
  mindsCase: boolean
  failed: boolean
}
