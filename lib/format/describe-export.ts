import type { ListExportView } from '@/lib/contract/list-export'
import { formatCount } from './numbers'
import * as words from '@/lib/words/export-result'

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
