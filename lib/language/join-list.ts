import { getLanguage, usualLocale } from './runtime'

/** Joins names as the language does: "A, B and C". */
export function joinList(names: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(usualLocale(getLanguage()), { type }).format(names)
}
