import type { Message } from '@/lib/language/runtime'
import type { CsvFlavour } from '../csv'
import type { Filter, SortOrder } from '@/lib/api-contract/filter'
import { formatCount } from '../numbers'
import type { ListId } from './capabilities'
import * as m from '@/lib/messages/m'

/** What an export contains. */
export type ExportQuery = {
  list: ListId
  /** The filter sent to the service. Rows are also matched against it here, whatever the service makes of it. */
  asked: Filter | null
  /** The filter that only the desk applies, because the service was not proven to support it. */
  rest: Filter | null
  /** What the service sorts by, first the first; null for its default. One alone stands without an array. */
  order: readonly SortOrder[] | SortOrder | null
  /** Descriptions of the list's filters by their labels, for people. */
  filters: Readonly<Record<string, string>>
  columns: readonly string[]
  /** IANA name of the zone for local times. */
  zone: string
  /** Comma if missing. */
  flavour?: CsvFlavour | undefined
}

/** The sort orders that an export asks for; none for the service's default. */
export function listExportOrders({ order }: Pick<ExportQuery, 'order'>): readonly SortOrder[] {
  return order === null ? [] : [order].flat()
}

/** Orders as an export names them: only several by an array, which desks of an earlier version refuse. */
export function toExportOrder(orders: readonly SortOrder[]): ExportQuery['order'] {
  return orders.length > 1 ? orders : (orders[0] ?? null)
}

/** Total of the rows of one currency and mode. */
export type ExportSum = {
  currency: string
  mode: 'live' | 'test' | 'not said'
  count: number
  /** Minor units as a decimal integer; null if one of the amounts could not be parsed exactly. */
  minor: string | null
}

/** The state of an export. Timestamps are ISO 8601 in UTC. */
export type ListExportView = {
  exportId: string
  list: ListId
  filters: Readonly<Record<string, string>>
  state: 'running' | 'complete' | 'stopped'
  /** Why it was stopped: an error code, `by-person`, `interrupted` (the desk was restarted, or could not store the end), `author-left` or `list-incomplete`. */
  reason: string | null
  /** Whether a person stopped it a moment ago, so that its hash is yet to come. */
  isEnding: boolean
  /** Whether it can resume where it was stopped. */
  mayResume: boolean
  /** Whether the desk resumes it by itself after a pause, until it is stopped by its person. */
  goesOn: boolean
  rows: number
  leftOut: number
  unreadable: number
  sums: readonly ExportSum[]
  bytes: number
  sha256: string | null
  createdAt: string
  endedAt: string | null
}

const reasons: Readonly<Record<string, Message>> = {
  'by-person': m.exportResult_reasonsByPerson,
  'author-left': m.exportResult_reasonsAuthorLeft,
  interrupted: m.exportResult_reasonsInterrupted,
  'list-incomplete': m.exportResult_reasonsListIncomplete,
  'store-unavailable': m.exportResult_reasonsStoreUnavailable,
  'outcome-unknown': m.exportResult_reasonsOutcomeUnknown,
  'secret-locked': m.exportResult_reasonsSecretLocked,
  'too-many-attempts': m.exportResult_reasonsTooManyAttempts,
  'upstream-slow-down': m.exportResult_reasonsUpstreamSlowDown,
  'upstream-unreachable': m.exportResult_reasonsUpstreamUnreachable,
  'upstream-timeout': m.exportResult_reasonsUpstreamTimeout,
  'upstream-refused': m.exportResult_reasonsUpstreamRefused,
  'upstream-credential': m.exportResult_reasonsUpstreamCredential,
  'upstream-forbidden': m.exportResult_reasonsUpstreamForbidden,
  'upstream-bad-reply': m.exportResult_reasonsUpstreamBadReply,
  'upstream-error': m.exportResult_reasonsUpstreamError,
}

/** Why an export stopped, to go into a sentence; undefined for a code that only starting one has. */
export function explainStop(reason: string): string | undefined {
  if (reason === 'internal') return m.exportResult_wentWrong()
  return Object.hasOwn(reasons, reason) ? reasons[reason]?.() : undefined
}

/** Reasons that pass by themselves, for which an export is continued unasked. */
export const passingReasons = [
  'interrupted',
  'stopping',
  'store-unavailable',
  'outcome-unknown',
  // Other reads of the same person were under way.
  'too-many-attempts',
  'upstream-slow-down',
  'upstream-unreachable',
  'upstream-timeout',
  'upstream-error',
  // Also a reply that broke off.
  'upstream-bad-reply',
]

type Described = Pick<ListExportView, 'state' | 'reason' | 'rows' | 'leftOut' | 'unreadable'>

/** The state of an export in words: "2,000 of 2,000, complete", "Stopped after 400: the provider asked us to slow down". */
export function describeExport(view: Described, locale: string): string {
  const { state, rows, leftOut, unreadable } = view
  if (state === 'running') {
    const count = formatCount(rows, locale)
    return leftOut > 0
      ? m.exportResult_soFarOf({ count, read: formatCount(rows + leftOut, locale) })
      : m.exportResult_soFar({ count })
  }
  const result = describeEnd(view, locale)
  return unreadable > 0 ? m.exportResult_lost({ result, count: formatCount(unreadable, locale) }) : result
}

function describeEnd({ state, reason, rows, leftOut, unreadable }: Described, locale: string): string {
  const count = formatCount(rows, locale)
  if (state === 'stopped') {
    return m.exportResult_stopped({ count, why: explainStop(reason ?? '') ?? m.exportResult_wentWrong() })
  }
  if (leftOut > 0) return m.exportResult_matching({ count, read: formatCount(rows + leftOut, locale) })
  return m.exportResult_complete({ count, all: formatCount(rows + unreadable, locale) })
}
