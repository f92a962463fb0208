'use client'

import { callDesk } from '@/lib/browser/call'
import { CallError } from '@/lib/browser/call-error'
import { askToSignIn, closeQuestion, type IdentityQuestion } from '@/lib/browser/identity-question'
import { lookAtSession } from '@/lib/browser/watch-session'
import { explainRefusal, explainWait } from '../sign-in/explain-refusal'
import { trySignIn } from '../sign-in/try-sign-in'
import { AnotherUserNotice } from './another-user-notice'
import { EndingNotice } from './ending-notice'
import { PasswordQuestion } from './password-question'
import { ProviderQuestion } from './provider-question'

function explainProof(error: unknown): string {
  if (!(error instanceof CallError)) return explainRefusal(null)
  if (error.code === 'wrong-password') return 'The password is not right.'
  if (error.status === 429) return explainWait(error.retryAfter ?? 0)
  return error.status === 0 ? explainRefusal(null) : 'That does not work just now. Try again in a moment.'
}

async function tryProof(password: string): Promise<string | null> {
  try {
    await callDesk('/sessions/current/proof', { method: 'POST', body: { password } })
  } catch (error) {
    return explainProof(error)
  }
  closeQuestion(true)
  return null
}

async function trySession(email: string, password: string): Promise<string | null> {
  const reason = await trySignIn({ email, password, callbackUrl: '/' })
  if (reason !== null) return reason
  closeQuestion(true)
  void lookAtSession()
  return null
}

/** Whether signing in at the provider, in whichever tab, was recent enough. */
async function lookForProof(): Promise<string | null> {
  try {
    await callDesk('/sessions/current/proof', { quiet: true })
  } catch (error) {
    if (error instanceof CallError && error.code === 'step-up') return 'You have not signed in there again yet.'
    return explainProof(error)
  }
  closeQuestion(true)
  return null
}

async function lookForSession(): Promise<string | null> {
  const reply = await fetch('/api/auth/session', { cache: 'no-store' }).catch(() => null)
  const session: { user?: unknown } = (await reply?.json().catch(() => null)) ?? {}
  if (session.user === undefined) return 'You are not signed in yet.'
  closeQuestion(true)
  void lookAtSession()
  return null
}

/** `isByProvider`: the account has no password here. */
type IdentityOverlayProps = { question: IdentityQuestion; email: string; isByProvider: boolean }

/**
 * What the desk asks of whoever sits at it, over whatever is there: dialog, selection, scroll and typed text stay,
 * and nothing is sent again by itself. `email` is whose page this is.
 */
export function IdentityOverlay({ question, email, isByProvider }: IdentityOverlayProps) {
  const leave = () => closeQuestion(false)
  if (question.kind === 'another-user') return <AnotherUserNotice email={email} onLeave={leave} />
  if (question.kind === 'ending') {
    return <EndingNotice at={question.at} extendable={question.extendable} onSignIn={askToSignIn} />
  }
  if (isByProvider || (question.kind === 'step-up' && question.proof === 'provider')) {
    const isStepUp = question.kind === 'step-up'
    return (
      <ProviderQuestion
        key={question.kind}
        title={isStepUp ? 'Confirm that it is you' : 'Sign in again to go on'}
        words={
          isStepUp
            ? 'This needs you to sign in once more where your account comes from. It then counts for five minutes.'
            : 'Your session has ended. This page stays as it is, and nothing is sent again by itself.'
        }
        answer={isStepUp ? lookForProof : lookForSession}
        onLeave={leave}
      />
    )
  }
  if (question.kind === 'step-up') {
    return (
      <PasswordQuestion
        key="step-up"
        title="Confirm that it is you"
        words="This needs your password once more. It then counts for five minutes."
        email={email}
        action="Confirm"
        leave="Cancel"
        answer={tryProof}
        onLeave={leave}
      />
    )
  }
  return (
    <PasswordQuestion
      key="signed-out"
      title="Sign in again to go on"
      words="Your session has ended. This page stays as it is, and nothing is sent again by itself."
      email={email}
      action="Sign in"
      leave="Not now"
      answer={(password) => trySession(email, password)}
      onLeave={leave}
    />
  )
}
