/** An agreement as the desk remembers it. Moments are ISO 8601 in UTC. */
export type KnownAgreement = {
  /** The id as the service says it; the handle where it says none. */
  agreementId: string
  handle: string | null
  scheme: string | null
  status: string | null
  test: boolean | null
  /** How the desk came to know it: made here, opened here, or named in the merchant record. */
  source: 'made' | 'opened' | 'merchant'
  rememberedBy: string
  /** When the service last said so. */
  readAt: string
}

/** What the desk knows of the agreements, and whether the merchant record could be asked. */
export type KnownAgreements = { agreements: KnownAgreement[]; merchant: 'read' | 'unreadable' }
