'use client'

import { useEffect, useRef, useState } from 'react'
import { callDesk, CallError } from '@/lib/client/api-client'
import { closePrompt, type IdentityPrompt, promptSignIn } from '@/lib/client/identity-prompt'
import { checkSession, extendSession } from '@/lib/client/session-watch'
import { Button } from '../ui/button'
import { PasswordQuestion, ProviderQuestion } from './identity-forms'
import { TopDialog, TopDialogButtons } from './top-dialog'
import { explainRefusal, explainWait, trySignIn } from './try-sign-in'
import * as words from '@/lib/words/signing-in-again'

/** Another user has signed in in this browser: this page is not theirs. */
export function AnotherUserNotice({ email, onLeave }: { email: string; onLeave: () => void }) {
  const first = useRef<HTMLButtonElement>(null)
  return (
    <TopDialog
      title={words.somebodyElseIsSigned}
      description={words.thisPageBelongs(email)}
      onLeave={onLeave}
      initialFocus={first}
    >
      <TopDialogButtons>
        <Button onClick={onLeave}>{words.stayOnThisPage}</Button>
        <Button ref={first} tone="primary" onClick={() => window.location.assign('/')}>
          {words.openAFreshPage}
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
      title={left > 0 ? words.youAreAbout : words.youAreSignedOut}
      description={extendable ? words.nothingHasBeenDone : words.signInLastsTwelveHours}
      onLeave={leave}
      initialFocus={first}
    >
      <p className="px-6 pt-3 font-medium max-md:px-4">
        <span aria-hidden="true">{left > 0 ? words.inS(left) : words.timeIsOver}</span>
        <span role="timer" className="sr-only">
          {left > 0 ? words.inSeconds(Math.ceil(left / 15) * 15) : words.timeIsOver}
        </span>
      </p>
      <TopDialogButtons>
        <Button onClick={leave}>{words.notNow}</Button>
        <Button ref={first} tone="primary" onClick={extendable && left > 0 ? stay : onSignIn}>
          {extendable && left > 0 ? words.staySignedIn : words.signInAgain}
        </Button>
      </TopDialogButtons>
    </TopDialog>
  )
}

function explainStepUpError(error: unknown): string {
  if (!(error instanceof CallError)) return explainRefusal(null)
  if (error.code === 'wrong-password') return words.passwordIsNotRight
  if (error.status === 429) return explainWait(error.retryAfter ?? 0)
  return error.status === 0 ? explainRefusal(null) : words.thatDoesNotWorkJust
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

async function submitSignIn(email: string, password: string): Promise<string | null> {
  const reason = await trySignIn({ email, password, callbackUrl: '/' })
  if (reason !== null) return reason
  closePrompt(true)
  void checkSession()
  return null
}

/** Whether the last sign-in at the provider, in any tab, is recent enough. */
async function checkStepUp(): Promise<string | null> {
  try {
    await callDesk('/sessions/current/proof', { quiet: true })
  } catch (error) {
    if (error instanceof CallError && error.code === 'step-up') return words.youHaveNotSigned
    return explainStepUpError(error)
  }
  closePrompt(true)
  return null
}

async function checkSignIn(): Promise<string | null> {
  const reply = await fetch('/api/auth/session', { cache: 'no-store' }).catch(() => null)
  const session: { user?: unknown } = (await reply?.json().catch(() => null)) ?? {}
  if (session.user === undefined) return words.youAreNotSigned
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
  if (question.kind === 'another-user') return <AnotherUserNotice email={email} onLeave={leave} />
  if (question.kind === 'ending') {
    const { at, extendable } = question
    return <EndingNotice at={at} extendable={extendable} onSignIn={() => promptSignIn(Date.now() < at)} />
  }
  const withReason = (about: string) =>
    question.kind === 'step-up' && question.why !== null ? `${question.why} ${about}` : about
  const about = question.kind === 'signed-out' && question.isEarly ? words.aNewSessionBegins : words.yourSessionHasEnded
  if (isByProvider || (question.kind === 'step-up' && question.proof === 'provider')) {
    const isStepUp = question.kind === 'step-up'
    return (
      <ProviderQuestion
        key={question.kind}
        title={isStepUp ? words.confirmThatItIsYou : words.signInAgainToGo}
        description={isStepUp ? withReason(words.thisNeedsYouToSign) : about}
        answer={isStepUp ? checkStepUp : checkSignIn}
        onLeave={leave}
      />
    )
  }
  if (question.kind === 'step-up') {
    return (
      <PasswordQuestion
        key="step-up"
        title={words.confirmThatItIsYou}
        description={withReason(words.thisNeedsYourPasswordOnce)}
        email={email}
        action={words.confirm}
        leave={words.notNow}
        answer={submitPassword}
        onLeave={leave}
      />
    )
  }
  return (
    <PasswordQuestion
      key="signed-out"
      title={words.signInAgainToGo}
      description={about}
      email={email}
      action={words.signIn}
      leave={words.notNow}
      answer={(password) => submitSignIn(email, password)}
      onLeave={leave}
    />
  )
}
