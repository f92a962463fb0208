import { languages } from '../messages/languages'

export type Language = (typeof languages)[number]

/** A message without values: written where it is shown, for the language is known only then. */
export type Message = () => string

export const defaultLanguage: Language = 'en'

/** The supported language of a tag such as `da-DK`; null for others. */
export function findLanguage(tag: string): Language | null {
  const language = tag.toLowerCase().split('-')[0]
  return languages.find((one) => one === language) ?? null
}

const usualLocales: Readonly<Record<string, string>> = { en: 'en-GB', da: 'da-DK' }

/** The locale of a language where the browser asks for none of its own. */
export function usualLocale(language: string): string {
  return usualLocales[language] ?? language
}

type LanguageStorage = { getStore: () => { language?: Language } | undefined }

/**
 * The language of the texts: in the browser the document's, on the server that of the current request
 * (lib/server/runtime/request-context). The desk's own work, its commands and the embedded service write English.
 */
export function getLanguage(): Language {
  if (typeof document !== 'undefined') return findLanguage(document.documentElement.lang) ?? defaultLanguage
  // By its name, because the browser's half of this module must not load the server's.
  const { debitdeskRequestContext } = globalThis as { debitdeskRequestContext?: LanguageStorage }
  return debitdeskRequestContext?.getStore()?.language ?? defaultLanguage
}

const rules = new Map<string, Intl.PluralRules>()

/** The plural category of a number, such as `one`. */
export function pickPlural(count: number, language: string): Intl.LDMLPluralRule {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return known.select(count)
}

const formats = new Map<string, Intl.NumberFormat>()

/** A number as the language writes it: 1,200 or 1.200. */
export function formatNumber(number: number, language: string): string {
  const known = formats.get(language) ?? new Intl.NumberFormat(language)
  formats.set(language, known)
  return known.format(number)
}
