import type { Difference } from '@/lib/contract/cancellation'

/** What the service answered to the request that cancels, in its own words where it had any. */
export type ReplyEvidence = { status: number; type?: string; title?: string; detail?: string; instance?: string; traceId?: string }

/** What a read of the payment showed. `why` says what made it unreadable. */
export type ReadEvidence = { kind: 'found' | 'absent' | 'unreadable'; status?: string | null; modifiedAt?: string | null; why?: string }

/** The facts behind a cancellation's state; kept beside it and in the activity log. */
export type Evidence = {
  reply?: ReplyEvidence
  /** The failure's code, where no reply could be read. */
  failure?: string
  read?: ReadEvidence
  difference?: Difference
}

const longest = 300

/**
 * The service's words as they may be kept and shown: well-formed, without control characters (the store
 * refuses NUL), at most 300 characters; undefined when nothing is left.
 */
export function cleanWords(words: string | null | undefined): string | undefined {
  const clean = words
    ?.toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  if (!clean) return undefined
  const characters = [...clean]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : clean
}
