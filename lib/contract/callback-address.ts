import ipaddr from 'ipaddr.js'

const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|home|lan|corp|arpa|test|invalid|onion)$/iu

/** Whether an IP address is an ordinary public one: not loopback, private, link-local, mapped, translated or otherwise special. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

function isHiddenHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '')
  if (ipaddr.isValid(host)) return !isPublicAddress(host)
  return localNames.test(host) || !host.includes('.')
}

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
  if (text.trim() === '') return 'must not be empty'
  if (text.length > 2048) return 'must be at most 2,048 characters'
  // URL parsers drop tabs and line breaks, so the address that is read would be another than the one that is sent.
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) return 'must not hold spaces or invisible characters'
  if (!URL.canParse(text)) return 'must be an address such as https://example.com/hooks'
  if (known.some((one) => isSameAddress(one, text))) return 'is subscribed already'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password: others can read it'
  if (text.includes('#')) return 'must not hold a fragment (#)'
  if (own !== null && text === own) return null
  if (isHiddenHost(url.hostname)) return 'must be publicly reachable: this is an address of a private network'
  if (url.protocol !== 'https:') return 'must begin with https://: what is sent in plain can be read on its way'
  return null
}
