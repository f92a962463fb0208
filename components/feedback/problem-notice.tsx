'use client'

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { leave } from '@/lib/client/page-lifecycle'
import { promptSignIn, useSignInCount } from '@/lib/client/identity-prompt'
import { PageForm } from '../forms/before-hydration'
import { Button } from '../ui/button'
import { chooseProblemDisplay, type ProblemInfo, ProviderLink } from './problem-display'
import * as m from '@/lib/messages/m'

/** Remaining whole seconds; restarts whenever `source` is another object. */
export function useCountdown(seconds: number | null, source: unknown): number {
  const [passed, setPassed] = useState({ source, seconds: 0 })
  if (passed.source !== source) setPassed({ source, seconds: 0 })
  const secondsLeft = Math.max(0, (seconds ?? 0) - passed.seconds)
  const running = secondsLeft > 0

  useEffect(() => {
    if (!running) return undefined
    const started = Date.now()
    const timer = setInterval(() => setPassed({ source, seconds: Math.round((Date.now() - started) / 1_000) }), 1_000)
    return () => clearInterval(timer)
  }, [running, source])

  return secondsLeft
}

type ProblemNoticeProps = {
  problem: ProblemInfo
  /** Offers "Retry", with a countdown while `Retry-After` demands one. */
  onRetry?: () => void
  /** Offers to load the page again where somebody else was faster. */
  reloads?: boolean
  /** Of a write that may have been carried out: what to do, instead of the advice to try again. */
  doubt?: string | null
  /** `line` beside other content, `page` alone. */
  layout?: 'line' | 'page'
  children?: ReactNode
}

function joinParts(...parts: (string | number | null | undefined)[]): string {
  return parts.filter((word) => word !== null && word !== undefined && word !== '').join(' · ')
}

/** After a new sign-in over the page, requests that failed for lack of one may be retried. */
function useCurrentProblem(problem: ProblemInfo): ProblemInfo {
  const signIns = useSignInCount()
  const [seen, setSeen] = useState({ instance: problem.instance, signIns })
  if (seen.instance !== problem.instance) setSeen({ instance: problem.instance, signIns })
  const isSignedInAgain = problem.code === 'signed-out' && signIns > seen.signIns
  return isSignedInAgain ? { ...problem, code: 'signed-in-again', detail: null } : problem
}

/**
 * In a dialog the focus would return to the rejected button, where another Enter would press it: focus the text
 * first.
 */
function useFocusInDialog(notice: RefObject<HTMLElement | null>, isOver: boolean): void {
  useEffect(() => {
    if (isOver && notice.current?.closest('[role="alertdialog"], [role="dialog"]')) notice.current.focus()
  }, [notice, isOver])
}

async function reload(): Promise<boolean> {
  window.location.reload()
  return true
}

/** An error: what happened, what can be done, and details for support. */
export function ProblemNotice(props: ProblemNoticeProps) {
  const { problem: originalProblem, onRetry, reloads, doubt, layout = 'line', children } = props
  const facts = useCurrentProblem(originalProblem)
  const notice = useRef<HTMLDivElement>(null)
  useFocusInDialog(notice, facts.code === 'signed-in-again')
  const { icon: Icon, title, kind, ...display } = chooseProblemDisplay(facts)
  const left = useCountdown(originalProblem.retryAfter, originalProblem)
  const { upstream } = facts
  // Having to sign in is not a fault: there is nothing to investigate.
  const isSignInRequest = facts.code === 'step-up' || facts.code === 'signed-out' || facts.code === 'signed-in-again'
  const isStale = reloads && facts.code === 'conflict'
  const detail = facts.code === 'step-up' ? null : facts.detail
  const messages = facts.messages.filter((message) => message !== detail)
  // A rejected request won't succeed later; after too many attempts the detail names the wait.
  const general = onRetry && facts.code !== 'upstream-refused' ? m.problems_tryAgainInAMoment() : null
  const advice = doubt ?? (facts.code === 'too-many-attempts' && detail ? null : display.advice || general)
  return (
    <div
      ref={notice}
      role="alert"
      tabIndex={facts.code === 'signed-in-again' ? -1 : undefined}
      data-problem={kind}
      className={`problem problem-${layout}`}
    >
      <Icon />
      <div>
        <p>{title}</p>
        {detail && detail !== title ? <p>{detail}</p> : null}
        {advice ? <p className="text-ink-soft">{advice}</p> : null}
        {upstream && (upstream.title ?? upstream.detail) ? (
          <p className="text-ink-soft">
            {m.problems_serviceSaid()}{' '}
            {joinParts(
              upstream.status,
              upstream.title === detail ? null : upstream.title,
              upstream.detail === detail ? null : upstream.detail,
              upstream.instance,
            )}
          </p>
        ) : null}
        {messages.length > 0 ? (
          <ul className="mt-2 list-disc pl-5">
            {messages.map((message) => (
              <li key={message} className="wrap-anywhere">
                {message}
              </li>
            ))}
          </ul>
        ) : null}
        {children}
        {facts.instance && !isSignInRequest ? (
          <p className="text-xs text-ink-faint">
            {m.problems_request()} <span className="select-all">{facts.instance}</span>
          </p>
        ) : null}
        {onRetry || isStale || facts.code === 'signed-out' || facts.code === 'owner-signed-out' ? (
          <div className="problem-actions">
            {facts.code === 'signed-out' ? (
              <Button size="small" tone="primary" onClick={() => promptSignIn()}>
                {m.problems_signInAgain()}
              </Button>
            ) : null}
            {facts.code === 'owner-signed-out' ? <ProviderLink size="small" /> : null}
            {isStale ? (
              <Button size="small" onClick={() => leave(reload, { isReload: true })}>
                {m.problems_reloadPage()}
              </Button>
            ) : null}
            {onRetry ? (
              <PageForm onSubmit={onRetry}>
                <Button size="small" type="submit" reason={left > 0 ? m.problems_waitS({ left }) : null}>
                  {m.retry_retry()}
                  {left > 0 ? <span aria-hidden="true">{m.problems_inS({ left })}</span> : null}
                </Button>
              </PageForm>
            ) : null}
          </div>
        ) : null}
      </div>
    </div>
  )
}
