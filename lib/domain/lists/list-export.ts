import type { Filter, SortOrder } from '@/lib/api-contract/filter'
import { formatCount } from '../numbers'
import type { ListId } from './capabilities'
import * as words from '@/lib/words/export-result'

/** What an export is of. */
export type ExportQuery = {
  list: ListId
  /** The filter that the service is asked for; every row is held against it, whatever the service makes of it. */
  asked: Filter | null
  /** The filter that the desk applies itself, because the service was not proven to. */
  rest: Filter | null
  /** The order that the service is asked for; null for its own. */
  order: SortOrder | null
  /** The filters of the list by their labels, for people. */
  filters: Readonly<Record<string, string>>
  columns: readonly string[]
  /** IANA name of the zone in which local times are written. */
  zone: string
}

/** What the rows of one currency come to, live apart from test. */
export type ExportSum = {
  currency: string
  mode: 'live' | 'test' | 'not said'
  count: number
  /** Whole minor units as a decimal integer; null where one of the amounts could not be read exactly. */
  minor: string | null
}

/** An export as it stands. Moments are ISO 8601 in UTC. */
export type ListExportView = {
  exportId: string
  list: ListId
  filters: Readonly<Record<string, string>>
  state: 'running' | 'complete' | 'stopped'
  /** Why it was stopped: a code of a failure, `by-person`, `interrupted` (the desk was restarted), `author-left` or `list-incomplete`. */
  reason: string | null
  /** Whether it can go on where it was stopped. */
  mayResume: boolean
  rows: number
  leftOut: number
  unreadable: number
  sums: readonly ExportSum[]
  bytes: number
  sha256: string | null
  createdAt: string
  endedAt: string | null
}

const reasons: Readonly<Record<string, string>> = words.reasons

/** The stated result: "2,000 of 2,000, complete", "Stopped after 400: too many requests". */
export function describeExport(
  view: Pick<ListExportView, 'state' | 'reason' | 'rows' | 'leftOut' | 'unreadable'>,
  locale: string,
): string {
  const { state, reason, rows, leftOut, unreadable } = view
  const count = formatCount(rows, locale)
  const lost = unreadable > 0 ? words.lost(formatCount(unreadable, locale)) : ''
  const read = formatCount(rows + leftOut, locale)
  if (state === 'running') return leftOut > 0 ? words.soFarOf(count, read) : words.soFar(count)
  if (state === 'stopped') {
    const known = reason !== null && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
    return words.stopped(count, known ?? words.wentWrong) + lost
  }
  if (leftOut > 0) return words.matching(count, read) + lost
  return words.complete(count, formatCount(rows + unreadable, locale)) + lost
}
