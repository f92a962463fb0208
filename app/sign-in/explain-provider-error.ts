/** Why a sign-in at the provider did not end here, in words; null where `error` is about something else. */
export function explainProviderError(error: unknown, name: string): string | null {
  if (typeof error !== 'string' || error === 'CredentialsSignin') return null
  if (error === 'NoRole') return `${name} knows you, but gives you no role on this desk. Ask whoever runs it for one.`
  if (error === 'Disabled') return 'Your account on this desk is disabled. Ask whoever runs it.'
  return `Signing in with ${name} did not work. Try again.`
}
