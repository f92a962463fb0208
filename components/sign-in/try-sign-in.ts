import { postAuth, readAuthReply } from '@/lib/client/post-auth'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

/** Explains the wait after too many attempts. */
export function explainWait(seconds: number): Message {
  if (!Number.isFinite(seconds) || seconds <= 0) return m.signingIn_tooManyAttemptsTryAgain
  const minutes = Math.ceil(seconds / 60)
  return () =>
    m.signingIn_tooManyAttemptsTryAgainIn({
      minutes: minutes === 1 ? m.signingIn_minute() : m.signingIn_minutes({ minutes }),
    })
}

/** Explains a failed sign-in; null means no reply at all. */
export function explainRefusal(response: Pick<Response, 'status' | 'headers'> | null): Message {
  switch (response?.status) {
    case undefined:
      return m.signingIn_deskCannotBeReachedCheck
    case 200:
      return m.signingIn_signingInNeedsCookiesAllow
    case 401:
      return m.signingIn_emailOrPasswordIsNot
    case 403:
      return m.signingIn_thisPageWasOpenedUnder
    case 413:
      return m.signingIn_thatIsTooLong
    case 429:
      return explainWait(Number(response?.headers.get('retry-after')))
    default:
      return m.signingIn_signingInDoesNotWork
  }
}

/** Signs in with these fields; null on success, else an error message. */
export async function trySignIn(fields: Record<string, string>): Promise<Message | null> {
  const response = await postAuth('callback/credentials', fields).catch(() => null)
  return (await readAuthReply(response)) ? null : explainRefusal(response)
}
