const MAX_LENGTH = 2_000

/**
 * The path to open after signing in: `given` if it is a path of this desk (with query and fragment), else `/`. Other
 * origins and schemes, `//host`, `/\host`, control characters, arrays and anything browsers may parse differently are
 * rejected (SE-10). An absolute address on `origin` counts as its path, since next-auth writes them that way.
 */
export function parseCallbackPath(given: unknown, origin = 'http://desk.invalid'): string {
  if (typeof given !== 'string' || given.length > MAX_LENGTH || !given.isWellFormed()) return '/'
  // URL parsers drop or rewrite tabs, newlines and backslashes, so they must not occur at all.
  if (/[\\\s\p{Cc}\p{Cf}]/u.test(given)) return '/'
  const path = given.startsWith(`${origin}/`) ? given.slice(origin.length) : given
  if (!/^\/(?!\/)/u.test(path)) return '/'
  if (!URL.canParse(path, origin)) return '/'
  const url = new URL(path, origin)
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/'
  // Even if a proxy decodes it once or twice, the path has a single leading slash.
  if (/^\/(?:%(?:25)*(?:2f|5c)|[/\\])/iu.test(url.pathname)) return '/'
  if (/^\/(?:sign-in|api)(?:\/|$)/iu.test(url.pathname)) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}

/**
 * The sign-in page for somebody who comes back from the provider without being signed in: it says why (`error`), and leads to
 * `returnUrl` from there.
 */
export function buildSignInUrl(error: string, returnUrl: string | undefined, origin: string): string {
  const search = new URLSearchParams({ error, callbackUrl: parseCallbackPath(returnUrl, origin) })
  return `${origin}/sign-in?${search}`
}
