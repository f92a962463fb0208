const longest = 2_000

/**
 * Where to go after signing in: `given` when it is a path of this desk (with query and fragment), else
 * `/`. Never leaves the desk: other origins, other schemes, `//host`, `/\host`, control characters,
 * arrays and whatever a browser might read differently from us all mean home (SE-10). An absolute
 * address counts as its path when it is on `origin`, for next-auth writes them so.
 */
export function parseCallbackPath(given: unknown, origin = 'http://desk.invalid'): string {
  if (typeof given !== 'string' || given.length > longest || !given.isWellFormed()) return '/'
  // What a URL parser drops or rewrites (tabs, newlines, backslashes) must not have been there at all.
  if (/[\\\s\p{Cc}\p{Cf}]/u.test(given)) return '/'
  const path = given.startsWith(`${origin}/`) ? given.slice(origin.length) : given
  if (!/^\/(?!\/)/u.test(path)) return '/'
  if (!URL.canParse(path, origin)) return '/'
  const url = new URL(path, origin)
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/'
  // Decoded once or twice, as a proxy on the way might: still one leading slash.
  if (/^\/(?:%(?:25)*(?:2f|5c)|[/\\])/iu.test(url.pathname)) return '/'
  if (/^\/(?:sign-in|api)(?:\/|$)/iu.test(url.pathname)) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
