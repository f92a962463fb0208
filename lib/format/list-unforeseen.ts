import { isLeftOutField } from '@/lib/contract/left-out'

/** What a record holds beside the fields that a page shows by name; null when that is nothing. */
export function listUnforeseen(record: object, shown: readonly string[]): Record<string, unknown> | null {
  const rest = Object.entries(record).filter(([name]) => !shown.includes(name) && !isLeftOutField(name))
  return rest.length === 0 ? null : Object.fromEntries(rest)
}
