/**
 * What the desk's server answers about its webhook inbox. `valid`: the signature of Standard Webhooks is right
 * and fresh; `invalid`: it is wrong or missing though the secret is known; `stale`: it names another time, so it may be
 * a repetition; `not-checked`: the desk knows no signing secret. Invalid and stale ones are refused and counted; only
 * those that an earlier version kept are shown.
 */
export type InboxVerdict = 'valid' | 'invalid' | 'stale' | 'not-checked'

/**
 * One delivery as it arrived. `headers` are those of an allow-list; `body` is text of at most 20 KB, null where it was
 * sealed with a secret that the desk does not have any more.
 */
export type InboxMessage = {
  sequence: number
  /** ISO 8601, UTC. */
  receivedAt: string
  verdict: InboxVerdict
  headers: Record<string, string>
  body: string | null
  times: number
}

/** Deliveries that were refused for their signature. `since` and `last` are ISO 8601, UTC; counted anew after a week. */
export type RefusedDeliveries = { count: number; since: string; last: string }

/** `address` is null until somebody has opened the inbox, and ends in `…` for those who may not manage webhooks; `messages` are the newest first. */
export type InboxView = {
  address: string | null
  hasSigningSecret: boolean
  /** Whether the signing secret cannot be opened, so that all deliveries are refused. */
  isLocked: boolean
  /** Null while none was refused. */
  refused: RefusedDeliveries | null
  messages: InboxMessage[]
  /** How many of the newest are kept, of those with a valid signature and of others. */
  kept: number
}

/** What a probe of a callback address found. `milliseconds` is the time until something answered. */
export type ProbeResult =
  | { kind: 'own' }
  | { kind: 'answered'; status: number; milliseconds: number }
  | { kind: 'hidden' }
  | { kind: 'failed'; why: 'name' | 'port' | 'timeout' | 'connection' | 'certificate' }
