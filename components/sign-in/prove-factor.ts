import { CallError, callSecondFactor } from '@/lib/client/api-client'
import type { FactorProof } from '@/lib/domain/second-factor'
import { explainWait } from './try-sign-in'
import * as m from '@/lib/messages/m'

type RequestOptions = Parameters<typeof import('@simplewebauthn/browser').startAuthentication>[0]['optionsJSON']

/** Why a passkey was not used. */
export class PasskeyError extends Error {}

/** The browser's answer to a challenge. Throws PasskeyError when the user or the device declines, and CallError. */
export async function answerWithPasskey(options: RequestOptions): Promise<object> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  try {
    return await startAuthentication({ optionsJSON: options })
  } catch (cause) {
    throw new PasskeyError(m.secondFactor_passkeyNotUsed(), { cause })
  }
}

/** Proves the factor with one of the account's passkeys. Throws PasskeyError and CallError. */
export async function provePasskey(): Promise<FactorProof> {
  const options = await callSecondFactor<RequestOptions>('/passkeys/challenge', { method: 'PUT' })
  return { passkey: (await answerWithPasskey(options)) as { id: string } }
}

/** What went wrong with a code or passkey, in words; null for other errors. */
export function explainFactorError(error: unknown): string | null {
  if (error instanceof PasskeyError) return error.message
  if (!(error instanceof CallError)) return null
  if (error.code === 'wrong-code') return m.secondFactor_wrongCode()
  if (error.code === 'signed-out') return m.secondFactor_signInOver()
  if (error.status === 429) return explainWait(error.retryAfter ?? 0)()
  return null
}
