import { domainToASCII } from 'node:url'

/**
 * The one form under which an account is kept and looked up: NFKC, trimmed, lower case, the domain in
 * ASCII without its trailing dot. Null for what is no address, and for a local part outside printable
 * ASCII: look-alike letters and invisible characters can thus make no second account (SE-16).
 */
export function canonicalEmail(given: string): string | null {
  if (given.length > 320 || !given.isWellFormed()) return null
  const text = given.normalize('NFKC').trim().toLowerCase()
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = domainToASCII(text.slice(at + 1).replace(/\.$/u, ''))
  const email = `${local}@${domain}`
  if (!/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u.test(email)) return null
  return email.length <= 254 ? email : null
}
