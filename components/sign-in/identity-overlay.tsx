'use client'

import { useEffect, useRef, useState } from 'react'
import { callDesk, CallError, callSecondFactor } from '@/lib/client/api-client'
import type { FactorProof, SecondFactors } from '@/lib/domain/second-factor'
import { closePrompt, type IdentityPrompt, promptSignIn } from '@/lib/client/identity-prompt'
import { checkSession, extendSession } from '@/lib/client/session-watch'
import { Button } from '../ui/button'
import { PasswordQuestion, ProviderQuestion } from './identity-forms'
import { FactorQuestion, type FactorRefusal } from './factor-question'
import { explainFactorError } from './prove-factor'
import { TopDialog, TopDialogButtons } from './top-dialog'
import { explainRefusal, explainWait, trySignIn } from './try-sign-in'
import * as m from '@/lib/messages/m'

/** Another user has signed in in this browser: this page is not theirs. */
export function AnotherUserNotice({ email, onLeave }: { email: string; onLeave: () => void }) {
  const first = useRef<HTMLButtonElement>(null)
  return (
    <TopDialog
      title={m.signingInAgain_somebodyElseIsSigned()}
      description={m.signingInAgain_thisPageBelongs({ email })}
      onLeave={onLeave}
      initialFocus={first}
    >
      <TopDialogButtons>
        <Button onClick={onLeave}>{m.signingInAgain_stayOnThisPage()}</Button>
        <Button ref={first} tone="primary" onClick={() => window.location.assign('/')}>
          {m.signingInAgain_openAFreshPage()}
        </Button>
      </TopDialogButtons>
    </TopDialog>
  )
}

function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.round((at - now) / 1_000))
}

const leave = () => closePrompt(false)

/**
 * Warns that the session ends in a minute. An idle one can be extended; one at its 12-hour limit is renewed by
 * signing in.
 */
export function EndingNotice({ at, extendable, onSignIn }: { at: number; extendable: boolean; onSignIn: () => void }) {
  const left = useSecondsUntil(at)
  const first = useRef<HTMLButtonElement>(null)

  function stay(): void {
    leave()
    // A 401 opens the sign-in prompt.
    extendSession().catch(() => undefined)
  }

  return (
    <TopDialog
      title={left > 0 ? m.signingInAgain_youAreAbout() : m.signingInAgain_youAreSignedOut()}
      description={extendable ? m.signingInAgain_nothingHasBeenDone() : m.signingInAgain_signInLastsTwelveHours()}
      onLeave={leave}
      initialFocus={first}
    >
      <p className="px-6 pt-3 font-medium max-md:px-4">
        <span aria-hidden="true">{left > 0 ? m.signingInAgain_inS({ left }) : m.signingInAgain_timeIsOver()}</span>
        <span role="timer" className="sr-only">
          {left > 0 ? m.signingInAgain_inSeconds({ left: Math.ceil(left / 15) * 15 }) : m.signingInAgain_timeIsOver()}
        </span>
      </p>
      <TopDialogButtons>
        <Button onClick={leave}>{m.signingInAgain_notNow()}</Button>
        <Button ref={first} tone="primary" onClick={extendable && left > 0 ? stay : onSignIn}>
          {extendable && left > 0 ? m.signingInAgain_staySignedIn() : m.signingInAgain_signInAgain()}
        </Button>
      </TopDialogButtons>
    </TopDialog>
  )
}

function explainStepUpError(error: unknown): string {
  if (!(error instanceof CallError)) return explainRefusal(null)()
  if (error.code === 'wrong-password') return m.signingInAgain_passwordIsNotRight()
  if (error.status === 429) return explainWait(error.retryAfter ?? 0)()
  return error.status === 0 ? explainRefusal(null)() : m.signingInAgain_thatDoesNotWorkJust()
}

async function submitPassword(password: string): Promise<string | null> {
  try {
    await callDesk('/sessions/current/proof', { method: 'POST', body: { password } })
  } catch (error) {
    return explainStepUpError(error)
  }
  closePrompt(true)
  return null
}

async function submitFactor(password: string, factor: FactorProof): Promise<FactorRefusal | null> {
  try {
    // A passkey is enough by itself.
    const body = { factor, ...(password !== '' && { password }) }
    await callDesk('/sessions/current/proof', { method: 'POST', body })
  } catch (error) {
    const isRefused = error instanceof CallError && (error.code === 'step-up' || error.code === 'wrong-password')
    if (isRefused && password !== '') return { password: m.signingInAgain_passwordIsNotRight() }
    return { code: explainFactorError(error) ?? explainStepUpError(error) }
  }
  closePrompt(true)
  return null
}

function endSignIn(): null {
  closePrompt(true)
  void checkSession()
  return null
}

/** Signs in again. `onDue` is called when the account has a second factor, which comes next. */
async function submitSignIn(email: string, password: string, onDue: () => void): Promise<string | null> {
  const reason = await trySignIn({ email, password, callbackUrl: '/' })
  if (reason !== null) return reason()
  try {
    const { due } = await callSecondFactor<SecondFactors>('')
    if (due === 'enrol') window.location.assign('/sign-in')
    else if (due === 'enter') onDue()
    else return endSignIn()
  } catch (error) {
    return explainStepUpError(error)
  }
  return null
}

async function submitSecondStep(factor: FactorProof): Promise<FactorRefusal | null> {
  try {
    await callSecondFactor('', { method: 'POST', body: factor })
  } catch (error) {
    return { code: explainFactorError(error) ?? explainStepUpError(error) }
  }
  return endSignIn()
}

/** Whether the last sign-in at the provider, in any tab, is recent enough. */
async function checkStepUp(): Promise<string | null> {
  try {
    await callDesk('/sessions/current/proof', { quiet: true })
  } catch (error) {
    if (error instanceof CallError && error.code === 'step-up') return m.signingInAgain_youHaveNotSigned()
    return explainStepUpError(error)
  }
  closePrompt(true)
  return null
}

async function checkSignIn(): Promise<string | null> {
  const reply = await fetch('/api/auth/session', { cache: 'no-store' }).catch(() => null)
  const session: { user?: unknown } = (await reply?.json().catch(() => null)) ?? {}
  if (session.user === undefined) return m.signingInAgain_youAreNotSigned()
  closePrompt(true)
  void checkSession()
  return null
}

/** `isByProvider`: the account has no password. */
type IdentityOverlayProps = { question: IdentityPrompt; email: string; isByProvider: boolean }

/**
 * Identity prompts over the page: dialogs, selection, scroll position and input are kept, and nothing is resent
 * automatically. `email` is the page's user.
 */
export function IdentityOverlay({ question, email, isByProvider }: IdentityOverlayProps) {
  const leave = () => closePrompt(false)
  const [isFactorDue, setFactorDue] = useState(false)
  if (question.kind === 'another-user') return <AnotherUserNotice email={email} onLeave={leave} />
  if (question.kind === 'ending') {
    const { at, extendable } = question
    return <EndingNotice at={at} extendable={extendable} onSignIn={() => promptSignIn({ isEarly: Date.now() < at })} />
  }
  const withReason = (about: string) =>
    question.kind === 'step-up' && question.why !== null ? `${question.why} ${about}` : about
  const about =
    question.kind === 'signed-out' && question.isEarly
      ? m.signingInAgain_aNewSessionBegins()
      : m.signingInAgain_yourSessionHasEnded()
  const isFactor = question.kind === 'step-up' && question.proof === 'factor'
  if ((isByProvider && !isFactor) || (question.kind === 'step-up' && question.proof === 'provider')) {
    const isStepUp = question.kind === 'step-up'
    return (
      <ProviderQuestion
        key={question.kind}
        title={isStepUp ? m.signingInAgain_confirmThatItIsYou() : m.signingInAgain_signInAgainToGo()}
        description={isStepUp ? withReason(m.signingInAgain_thisNeedsYouToSign()) : about}
        answer={isStepUp ? checkStepUp : checkSignIn}
        onLeave={leave}
      />
    )
  }
  if (question.kind === 'step-up' && question.proof === 'factor') {
    return (
      <FactorQuestion
        key="step-up-factor"
        title={m.signingInAgain_confirmThatItIsYou()}
        description={withReason(m.secondFactor_stepUpAbout())}
        email={email}
        withPassword={!isByProvider}
        action={m.signingInAgain_confirm()}
        answer={submitFactor}
        onLeave={leave}
      />
    )
  }
  if (question.kind === 'signed-out' && isFactorDue) {
    return (
      <FactorQuestion
        key="second-step"
        title={m.secondFactor_enterTitle()}
        description={about}
        email={email}
        withPassword={false}
        action={m.signingInAgain_signIn()}
        answer={(_, factor) => submitSecondStep(factor)}
        onLeave={leave}
      />
    )
  }
  if (question.kind === 'step-up') {
    return (
      <PasswordQuestion
        key="step-up"
        title={m.signingInAgain_confirmThatItIsYou()}
        description={withReason(m.signingInAgain_thisNeedsYourPasswordOnce())}
        email={email}
        action={m.signingInAgain_confirm()}
        leave={m.signingInAgain_notNow()}
        answer={submitPassword}
        onLeave={leave}
      />
    )
  }
  return (
    <PasswordQuestion
      key="signed-out"
      title={m.signingInAgain_signInAgainToGo()}
      description={about}
      email={email}
      action={m.signingInAgain_signIn()}
      leave={m.signingInAgain_notNow()}
      answer={(password) => submitSignIn(email, password, () => setFactorDue(true))}
      onLeave={leave}
    />
  )
}
