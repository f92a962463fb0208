import { postAuth } from '@/lib/client/post-auth'
import * as words from '@/lib/words/signing-in'

const unreachable = words.deskCannotBeReachedCheck

/** How long to wait after too many attempts, in words. */
export function explainWait(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds <= 0) return words.tooManyAttemptsTryAgain
  const minutes = Math.ceil(seconds / 60)
  return words.tooManyAttemptsTryAgainIn(minutes === 1 ? words.minute : words.minutes(minutes))
}

/** Why signing in did not work, in words; null stands for no answer at all. */
export function explainRefusal(response: Pick<Response, 'status' | 'headers'> | null): string {
  switch (response?.status) {
    case undefined:
      return unreachable
    case 200:
      return words.signingInNeedsCookiesAllow
    case 401:
      return words.emailOrPasswordIsNot
    case 403:
      return words.thisPageWasOpenedUnder
    case 413:
      return words.thatIsTooLong
    case 429:
      return explainWait(Number(response?.headers.get('retry-after')))
    default:
      return words.signingInDoesNotWork
  }
}

/** Tries to sign in with these fields; null when that worked, else why it did not, in words. */
export async function trySignIn(fields: Record<string, string>): Promise<string | null> {
  const response = await postAuth('callback/credentials', fields).catch(() => null)
  if (!response?.ok) return explainRefusal(response)
  const { url }: { url?: string } = await response.json().catch(() => ({}))
  // next-auth answers 200 also when its token did not fit, with an address under its own.
  return url === undefined || new URL(url).pathname.startsWith('/api/auth/') ? explainRefusal(response) : null
}
