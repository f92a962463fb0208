import type { ListExportView } from '@/lib/contract/list-export'
import { formatCount } from './numbers'

const reasons: Readonly<Record<string, string>> = {
  'by-person': 'by you',
  interrupted: 'the desk was restarted',
  'list-incomplete': 'the service did not say how the list goes on, or it changed while it was read',
  'upstream-slow-down': 'too many requests',
  'upstream-unreachable': 'the service could not be reached',
  'upstream-timeout': 'the service did not answer in time',
  'upstream-refused': 'the service did not accept the place to go on, or the filter',
  'upstream-credential': 'the service did not accept the desk’s credential',
  'upstream-forbidden': 'the service refused',
  'upstream-bad-reply': 'a reply of the service could not be read',
  'upstream-error': 'the service failed',
}

/** The stated result: "2,000 of 2,000, complete", "Stopped after 400: too many requests". */
export function describeExport(
  view: Pick<ListExportView, 'state' | 'reason' | 'rows' | 'leftOut' | 'unreadable'>,
  locale: string,
): string {
  const { state, reason, rows, leftOut, unreadable } = view
  const count = formatCount(rows, locale)
  const lost = unreadable > 0 ? `; ${formatCount(unreadable, locale)} could not be read` : ''
  const read = formatCount(rows + leftOut, locale)
  if (state === 'running') return leftOut > 0 ? `${count} so far, of ${read} read` : `${count} so far`
  if (state === 'stopped') {
    const why = reason !== null && Object.hasOwn(reasons, reason) ? reasons[reason] : 'something went wrong here'
    return `Stopped after ${count}: ${why}${lost}`
  }
  if (leftOut > 0) return `${count} of ${read} match, complete${lost}`
  return `${count} of ${formatCount(rows + unreadable, locale)}, complete${lost}`
}
