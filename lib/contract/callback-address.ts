import { hasPrivateHost } from './public-address'
import * as fields from './words/fields'
import * as words from './words/callback-address'

function isSameAddress(one: string, other: string): boolean {
  if (one === other) return true
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href
}

/**
 * Why an address should not be subscribed, as the end of a sentence that begins with the field's name; null
 * when nothing speaks against it. `known` are those that are subscribed; `own` is the desk's inbox, which may be
 * on this machine. What a name resolves to is checked on the server (`probeAddress`).
 */
export function explainAddress(
  text: string,
  { known, own }: { known: readonly string[]; own: string | null },
): string | null {
  if (text.trim() === '') return fields.mustNotBeEmpty
  if (text.length > 2048) return fields.mustBeAtMostCharacters(2_048)
  // URL parsers drop tabs and line breaks, so the address that is read would be another than the one that is sent.
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) return words.mustNotHoldSpaces
  if (!URL.canParse(text)) return words.mustBeAnAddress
  if (known.some((one) => isSameAddress(one, text))) return words.isSubscribedAlready
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return words.mustBeginWithHttps
  // URL parsers add what is missing of `https://`.
  if (!/^https?:\/\/[^/]/iu.test(text)) return words.mustBeAnAddress
  if (url.username !== '' || url.password !== '') return words.mustNotHoldAUserName
  if (text.includes('#')) return words.mustNotHoldAFragment
  if (own !== null && text === own) return null
  if (hasPrivateHost(url)) return words.mustBePubliclyReachable
  if (url.protocol !== 'https:') return words.mustBeginWithHttpsNotPlain
  return null
}
