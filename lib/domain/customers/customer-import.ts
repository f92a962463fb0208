import type { CustomerField } from '@/lib/api-contract/customer-fields'
import { foldText } from '@/lib/api-contract/fold-text'

/** Request to start an import, or to resume the one of the same file. */
export type CustomerImportRequest = {
  fileName: string
  text: string
  mapping: Partial<Record<CustomerField, number>>
  /** Whether lines that repeat a customer number of the file are created too. */
  takesRepeats?: boolean | undefined
  /** Lines that are left out because a customer has their number. */
  existingLines?: number[] | undefined
}

/**
 * Reply of POST /api/desk/imports/existing: those of the numbers that customers have. `isWhole`: all customers were
 * compared, not only the first `compared`.
 */
export type ExistingNumbers = { numbers: string[]; compared: number; isWhole: boolean }

/**
 * How numbers and names of customers are compared: as searches fold text, without outer spaces, with which a provider may
 * list what was sent without. Accents count: Bo and Bö are two people. Empty text equals nothing.
 */
export function foldCustomerText(text: string): string {
  return foldText(text.trim())
}

/** Maximum lines of a file, and bytes of its text as JSON: a request body has at most 1 MiB. */
export const importLimits = { lines: 5_000, bytes: 1_000_000 } as const

/** The bytes of a file's text as a JSON string in UTF-8, as it is sent. */
export function measureImport(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).byteLength
}

/** Why a line in doubt needs a person. */
export type DoubtReason =
  /** Two reads of the whole list, some time apart, did not contain it. */
  | 'not-found'
  /** Similar customers are listed, and nothing proves which one the line created. */
  | 'ambiguous'
  /** The list could not be read to its end. */
  | 'not-listed'

/** A listed customer that the line may have created. */
export type ImportCandidate = {
  id: string
  handle: string | null
  name: string | null
  number: string | null
  createdAt: string | null
}

/** A line that was sent with an uncertain result. */
export type DoubtfulLine = {
  line: number
  name: string
  number: string | null
  sentAt: string | null
  /** The code of the error; null when the desk was stopped meanwhile. */
  failure: string | null
  /** The service's message when the line was sent again. */
  message: string | null
  /** Null while the desk is still looking for it. */
  heldFor: DoubtReason | null
  candidates: ImportCandidate[]
}

/** A person's decision about a line in doubt. */
export const lineDecisions = ['send-again', 'created', 'leave-out'] as const
export type LineDecision = {
  line: number
  decision: (typeof lineDecisions)[number]
  /** The chosen candidate, for `created` only. */
  customerId?: string | undefined
}

/** The state of an import. Timestamps are ISO 8601 in UTC. */
export type CustomerImportView = {
  importId: string
  fileName: string
  startedBy: string
  createdAt: string
  /** `interrupted`: the desk was restarted while it ran, and it can resume. `held`: an error of the service stopped it. */
  state: 'running' | 'stopped' | 'held' | 'done' | 'interrupted'
  /** Why it is held, as an error code. */
  problem: string | null
  /** Until when the service asked to wait. */
  waitUntil: string | null
  /** `found`: those of `created` that were confirmed by looking, not by a reply. `held`: those of `unknown` that need a person. */
  counts: {
    waiting: number
    created: number
    refused: number
    leftOut: number
    unknown: number
    found: number
    held: number
  }
  /** The first lines that were refused, with the error, or left out, with the user who decided so. */
  troubles: { line: number; state: 'refused' | 'left-out'; message: string | null; leftOutBy: string | null }[]
  /** The first customers that it created, or found created; none while it runs, or in a list of imports. */
  customers: { line: number; name: string; customerId: string }[]
  /** The first lines in doubt; those that need a person come first. */
  doubts: DoubtfulLine[]
}
