function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The cookies of these names from a Cookie header (RFC 6265); of several with one name, the first counts. */
export function readCookies(header: string | null, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && names.includes(name) && !Object.hasOwn(found, name)) found[name] = decode(pair.slice(at + 1).trim())
  }
  return found
}
