import type { CustomerField } from './customer-fields'

/** What the browser sends to begin an import, or to go on with the one of the same file. */
export type CustomerImportRequest = { fileName: string; text: string; mapping: Partial<Record<CustomerField, number>> }

/** Lines of a file, and bytes of its text as JSON, that one import takes: a request's body has at most 1 MiB. */
export const importLimits = { lines: 5_000, bytes: 1_000_000 } as const

/** The bytes that a file's text takes in the request: quotation marks and line breaks take two, å two, 山 three. */
export function measureImport(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).byteLength
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
  counts: { waiting: number; created: number; refused: number; leftOut: number; unknown: number }
  /** The first lines that were refused, left out for an error, or whose outcome is not known. */
  troubles: { line: number; state: 'refused' | 'left-out' | 'unknown'; message: string | null }[]
}
