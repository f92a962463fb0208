import * as z from 'zod'
import * as m from '@/lib/messages/m'
import type { KeptKind } from './kept-kinds'
import { storableText } from './text/storable-text'

/*
 * What the desk's own store keeps about a person who pays: a customer of the merchant at the upstream API. Requests and
 * replies of `/api/desk/people`, which are POST: names and numbers don't belong into addresses.
 */

/** What stands in place of an erased text, in any language. In the activity log its hash does. */
export const erasedText = '[erased]'

/** Shorter values are found as whole fields only, not within texts: they would hit everybody. */
export const MIN_SEARCHED_LENGTH = 3

const MAX_LENGTH = 200
const MAX_LINES = 200

const value = storableText
  .trim()
  .max(MAX_LENGTH, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: MAX_LENGTH }) })

const values = z.array(value.min(1)).max(MAX_LINES, { error: () => m.people_mostLines({ lines: MAX_LINES }) })

/** Whom to look for. Empty where it isn't known. */
export const personRequest = z
  .strictObject({
    /** The customer's id or handle. */
    customer: value,
    name: value,
    number: value,
    addressLine1: value,
    addressLine2: value,
    /** Other spellings of any of these. */
    others: values,
    /** Ids or handles of the person's payments and mandates. */
    ids: values,
  })
  .refine(({ others, ids, ...fields }) => Object.values(fields).some(Boolean) || others.length + ids.length > 0, {
    error: m.people_nothingToLookFor,
    path: ['customer'],
  })
export type PersonRequest = z.output<typeof personRequest>

/** Body of POST /api/desk/people/erase. `expected` is the number of places that the person who erases was shown. */
export const eraseRequest = z.strictObject({ person: personRequest, expected: z.int().min(0) })

/** Work that isn't over and still needs the person's data; `id` is its own, of a cancellation the payment's. */
export type OpenWork = { kind: 'cancellation' | 'bulk' | 'import' | 'export'; id: string }

export type KeptCounts = Record<KeptKind, number>

/** Reply of POST /api/desk/people: what would be erased. */
export type KeptAbout = {
  /** As the upstream API has them now; null if it doesn't know the customer or none was named. */
  customer: { id: string | null; name: string | null; number: string | null } | null
  /** The person's payments at the upstream API; null if it can't be asked for them. */
  payments: { count: number; isComplete: boolean } | null
  /** What texts are searched for, and what is too short for that. */
  searched: string[]
  tooShort: string[]
  counts: KeptCounts
  total: number
  open: OpenWork[]
}

/** Reply of POST /api/desk/people/erase. `left`: places that somebody began to use meanwhile. */
export type Erased = { counts: KeptCounts; total: number; left: number }
