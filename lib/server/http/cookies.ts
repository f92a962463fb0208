function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The named cookies of a Cookie header (RFC 6265); the first of several with one name counts. */
export function parseCookies(header: string | null, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && names.includes(name) && !Object.hasOwn(found, name)) found[name] = decode(pair.slice(at + 1).trim())
  }
  return found
}
