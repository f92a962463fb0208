import { languageCookie } from '@/lib/language/choose-language'
import type { Language } from '@/lib/language/runtime'

const YEAR_S = 31_536_000

/** Stores the language in this browser, for pages before the sign-in; null lets the browser's own decide again. */
export function storeLanguage(language: Language | null): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store is not in every browser
  document.cookie = `${languageCookie}=${language ?? ''}; path=/; max-age=${language ? YEAR_S : 0}; samesite=lax${secure}`
}

/** A language's name in itself, such as "Dansk". */
export function nameLanguage(language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
