/**
 * What the desk's server answers about its webhook inbox. `valid`: the signature of Standard Webhooks is right
 * and fresh; `invalid`: it is wrong or missing though the secret is known; `stale`: it is right in form but of
 * another time, so it may be a repetition; `not-checked`: the desk knows no signing secret.
 */
export type InboxVerdict = 'valid' | 'invalid' | 'stale' | 'not-checked'

/** One delivery as it arrived. `headers` are those of an allow-list; `body` is text of at most 20 KB. */
export type InboxMessage = {
  sequence: number
  /** ISO 8601, UTC. */
  receivedAt: string
  verdict: InboxVerdict
  headers: Record<string, string>
  body: string
  times: number
}

/** `address` is null until somebody has opened the inbox, and ends in `…` for those who may not manage webhooks; `messages` are the newest first. */
export type InboxView = {
  address: string | null
  hasSigningSecret: boolean
  messages: InboxMessage[]
  /** How many of the newest are kept. */
  kept: number
}

/** What a probe of a callback address found. `milliseconds` is the time until something answered. */
export type ProbeResult =
  | { kind: 'own' }
  | { kind: 'answered'; status: number; milliseconds: number }
  | { kind: 'hidden' }
  | { kind: 'failed'; why: 'name' | 'port' | 'timeout' | 'connection' | 'certificate' }
