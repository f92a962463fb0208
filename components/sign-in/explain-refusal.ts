const unreachable = 'The desk cannot be reached. Check the connection and try again.'

/** How long to wait after too many attempts, in words. */
export function explainWait(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds <= 0) return 'Too many attempts. Try again in a few minutes.'
  const minutes = Math.ceil(seconds / 60)
  return `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}

/** Why signing in did not work, in words; null stands for no answer at all. */
export function explainRefusal(response: Pick<Response, 'status' | 'headers'> | null): string {
  switch (response?.status) {
    case undefined:
      return unreachable
    case 200:
      return 'Signing in needs cookies: allow them for this address and try again.'
    case 401:
      return 'Email or password is not right.'
    case 403:
      return 'This page was opened under another address than the desk’s own.'
    case 413:
      return 'That is too long for a password.'
    case 429:
      return explainWait(Number(response?.headers.get('retry-after')))
    default:
      return 'Signing in does not work just now. Try again in a moment.'
  }
}
