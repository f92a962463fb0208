import * as words from '@/lib/words/signing-in'

/** Why a sign-in at the provider did not end here, in words; null where `error` is about something else. */
export function explainProviderError(error: unknown, name: string): string | null {
  if (typeof error !== 'string' || error === 'CredentialsSignin') return null
  if (error === 'NoRole') return words.knowsYouButGivesYou(name)
  if (error === 'Disabled') return words.yourAccountOnThisDesk
  return words.signingInWithDidNot(name)
}
