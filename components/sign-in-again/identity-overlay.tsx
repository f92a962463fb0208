'use client'

import { callDesk } from '@/lib/browser/call'
import { CallError } from '@/lib/browser/call-error'
import { askToSignIn, closeQuestion, type IdentityQuestion } from '@/lib/browser/identity-question'
import { lookAtSession } from '@/lib/browser/watch-session'
import * as words from '@/lib/words/signing-in-again'
import { explainRefusal, explainWait } from '../sign-in/explain-refusal'
import { trySignIn } from '../sign-in/try-sign-in'
import { AnotherUserNotice } from './another-user-notice'
import { EndingNotice } from './ending-notice'
import { PasswordQuestion } from './password-question'
import { ProviderQuestion } from './provider-question'

function explainProof(error: unknown): string {
  if (!(error instanceof CallError)) return explainRefusal(null)
  if (error.code === 'wrong-password') return words.passwordIsNotRight
  if (error.status === 429) return explainWait(error.retryAfter ?? 0)
  return error.status === 0 ? explainRefusal(null) : words.thatDoesNotWorkJust
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
    if (error instanceof CallError && error.code === 'step-up') return words.youHaveNotSigned
    return explainProof(error)
  }
  closeQuestion(true)
  return null
}

async function lookForSession(): Promise<string | null> {
  const reply = await fetch('/api/auth/session', { cache: 'no-store' }).catch(() => null)
  const session: { user?: unknown } = (await reply?.json().catch(() => null)) ?? {}
  if (session.user === undefined) return words.youAreNotSigned
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
    const { at, extendable } = question
    return <EndingNotice at={at} extendable={extendable} onSignIn={() => askToSignIn(Date.now() < at)} />
  }
  const because = (about: string) =>
    question.kind === 'step-up' && question.why !== null ? `${question.why} ${about}` : about
  const about = question.kind === 'signed-out' && question.isEarly ? words.aNewSessionBegins : words.yourSessionHasEnded
  if (isByProvider || (question.kind === 'step-up' && question.proof === 'provider')) {
    const isStepUp = question.kind === 'step-up'
    return (
      <ProviderQuestion
        key={question.kind}
        title={isStepUp ? words.confirmThatItIsYou : words.signInAgainToGo}
        words={isStepUp ? because(words.thisNeedsYouToSign) : about}
        answer={isStepUp ? lookForProof : lookForSession}
        onLeave={leave}
      />
    )
  }
  if (question.kind === 'step-up') {
    return (
      <PasswordQuestion
        key="step-up"
        title={words.confirmThatItIsYou}
        words={because(words.thisNeedsYourPasswordOnce)}
        email={email}
        action={words.confirm}
        leave={words.notNow}
        answer={tryProof}
        onLeave={leave}
      />
    )
  }
  return (
    <PasswordQuestion
      key="signed-out"
      title={words.signInAgainToGo}
      words={about}
      email={email}
      action={words.signIn}
      leave={words.notNow}
      answer={(password) => trySession(email, password)}
      onLeave={leave}
    />
  )
}
