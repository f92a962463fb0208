import type { CustomerField } from '@/lib/api-contract/customer-fields'

/** What the browser sends to begin an import, or to go on with the one of the same file. */
export type CustomerImportRequest = { fileName: string; text: string; mapping: Partial<Record<CustomerField, number>> }

/** Lines of a file, and bytes of its text as JSON, that one import takes: a request's body has at most 1 MiB. */
export const importLimits = { lines: 5_000, bytes: 1_000_000 } as const

/** The bytes that a file's text takes in the request: quotation marks and line breaks take two, å two, 山 three. */
export function measureImport(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).byteLength
}

/** Why a line in doubt waits for a person. */
export type DoubtReason =
  /** Two reads of the whole list some time apart did not show it. */
  | 'not-found'
  /** Customers like it are listed, and nothing proves which of them is the line's. */
  | 'ambiguous'
  /** The service's list could not be read to its end. */
  | 'not-listed'

/** A listed customer that may be a line's. */
export type ImportCandidate = {
  id: string
  handle: string | null
  name: string | null
  number: string | null
  createdAt: string | null
}

/** A line that was sent, and of which nobody knows for certain what became. */
export type DoubtfulLine = {
  line: number
  name: string
  number: string | null
  sentAt: string | null
  /** What went wrong, as a code of a failure; null where the desk ended meanwhile. */
  failure: string | null
  /** What the service said when the line was sent again. */
  message: string | null
  /** Null while the desk itself still looks for it. */
  heldFor: DoubtReason | null
  candidates: ImportCandidate[]
}

/** What a person says of a line in doubt. */
export const lineDecisions = ['send-again', 'created', 'leave-out'] as const
export type LineDecision = {
  line: number
  decision: (typeof lineDecisions)[number]
  /** Which of the candidates it is; for `created` alone. */
  customerId?: string | undefined
}

/** An import as it stands. Moments are ISO 8601 in UTC. */
export type CustomerImportView = {
  importId: string
  fileName: string
  startedBy: string
  createdAt: string
  /** `interrupted`: the desk was restarted while it ran; it can go on. `held`: the service could not be worked with. */
  state: 'running' | 'stopped' | 'held' | 'done' | 'interrupted'
  /** Why it is held, as a code of a failure. */
  problem: string | null
  /** The service asked to wait until then. */
  waitUntil: string | null
  /** `found` are those of the created that no reply told of; `held` those of the unknown that wait for a person. */
  counts: {
    waiting: number
    created: number
    refused: number
    leftOut: number
    unknown: number
    found: number
    held: number
  }
  /** The first lines that were refused or left out: for an error, or by whom. */
  troubles: { line: number; state: 'refused' | 'left-out'; message: string | null; leftOutBy: string | null }[]
  /** The first lines in doubt; those that wait for a person come first. */
  doubts: DoubtfulLine[]
}
