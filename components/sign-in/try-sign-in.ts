import { postAuth } from '@/lib/browser/post-auth'
import { explainRefusal } from './explain-refusal'

/** Tries to sign in with these fields; null when that worked, else why it did not, in words. */
export async function trySignIn(fields: Record<string, string>): Promise<string | null> {
  const response = await postAuth('callback/credentials', fields).catch(() => null)
  if (!response?.ok) return explainRefusal(response)
  const { url }: { url?: string } = await response.json().catch(() => ({}))
  // next-auth answers 200 also when its token did not fit, with an address under its own.
  return url === undefined || new URL(url).pathname.startsWith('/api/auth/') ? explainRefusal(response) : null
}
