import { escapeInvisible } from './visible-text'

const MAX_NAME = 60

/** The title of a record's page: what it is, and how the service calls it, cut where a tab shows no more. */
export function formatPageTitle(kind: string, name: string | null | undefined): string {
  const shown = escapeInvisible(
    Array.from(name ?? '')
      .slice(0, MAX_NAME)
      .join('')
      .trim(),
  )
  return shown ? `${kind} ${shown}` : kind
}
