import { escapeInvisible } from './text/visible-text'

const MAX_NAME_LENGTH = 60

/** The title of a record's page: its kind and its name, cut to what a browser tab can show. */
export function formatPageTitle(kind: string, name: string | null | undefined): string {
  const shown = escapeInvisible(
    Array.from(name ?? '')
      .slice(0, MAX_NAME_LENGTH)
      .join('')
      .trim(),
  )
  return shown ? `${kind} ${shown}` : kind
}
