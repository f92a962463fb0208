'use client'

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { promptSignIn, useSignInCount } from '@/lib/client/identity-prompt'
import { PageForm } from '../forms/before-hydration'
import { Button } from '../ui/button'
import { chooseProblemDisplay, type ProblemInfo, ProviderLink } from './problem-display'
import * as words from '@/lib/words/problems'
import { retry } from '@/lib/words/retry'

/** Remaining whole seconds; restarts whenever `source` is another object. */
export function useCountdown(seconds: number | null, source: unknown): number {
  const [passed, setPassed] = useState({ source, seconds: 0 })
  if (passed.source !== source) setPassed({ source, seconds: 0 })
  const left = Math.max(0, (seconds ?? 0) - passed.seconds)
  const running = left > 0

  useEffect(() => {
    if (!running) return undefined
    const started = Date.now()
    const timer = setInterval(() => setPassed({ source, seconds: Math.round((Date.now() - started) / 1_000) }), 1_000)
    return () => clearInterval(timer)
  }, [running, source])

  return left
}

type ProblemNoticeProps = {
  facts: ProblemInfo
  /** Offers "Retry", with a countdown while `Retry-After` demands one. */
  onRetry?: () => void
  /** `line` beside other content, `page` alone. */
  layout?: 'line' | 'page'
  children?: ReactNode
}

function joinWords(...parts: (string | number | null | undefined)[]): string {
  return parts.filter((word) => word !== null && word !== undefined && word !== '').join(' · ')
}

/** After a new sign-in over the page, requests that failed for lack of one may be retried. */
function useFreshFacts(facts: ProblemInfo): ProblemInfo {
  const signIns = useSignInCount()
  const [seen, setSeen] = useState({ instance: facts.instance, signIns })
  if (seen.instance !== facts.instance) setSeen({ instance: facts.instance, signIns })
  const isOver = facts.code === 'signed-out' && signIns > seen.signIns
  return isOver ? { ...facts, code: 'signed-in-again', detail: null } : facts
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

/** An error: what happened, what can be done, and details for support. */
export function ProblemNotice({ facts: given, onRetry, layout = 'line', children }: ProblemNoticeProps) {
  const facts = useFreshFacts(given)
  const notice = useRef<HTMLDivElement>(null)
  useFocusInDialog(notice, facts.code === 'signed-in-again')
  const { icon: Icon, title, kind, ...face } = chooseProblemDisplay(facts)
  const left = useCountdown(given.retryAfter, given)
  const { upstream } = facts
  // Having to sign in is not a fault: there is nothing to investigate.
  const isQuestion = facts.code === 'step-up' || facts.code === 'signed-out' || facts.code === 'signed-in-again'
  const detail = facts.code === 'step-up' ? null : facts.detail
  // A rejected request won't succeed later; after too many attempts the detail names the wait.
  const general = onRetry && facts.code !== 'upstream-refused' ? words.tryAgainInAMoment : null
  const advice = facts.code === 'too-many-attempts' && detail ? null : face.advice || general
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
            {words.serviceSaid}{' '}
            {joinWords(
              upstream.status,
              upstream.title,
              upstream.detail === detail ? null : upstream.detail,
              upstream.instance,
            )}
          </p>
        ) : null}
        {children}
        {facts.instance && !isQuestion ? (
          <p className="text-xs text-ink-faint">
            {words.request} <span className="select-all">{facts.instance}</span>
          </p>
        ) : null}
        {onRetry || facts.code === 'signed-out' || facts.code === 'owner-signed-out' ? (
          <div className="problem-actions">
            {facts.code === 'signed-out' ? (
              <Button size="small" tone="primary" onClick={() => promptSignIn()}>
                {words.signInAgain}
              </Button>
            ) : null}
            {facts.code === 'owner-signed-out' ? <ProviderLink size="small" /> : null}
            {onRetry ? (
              <PageForm onSubmit={onRetry}>
                <Button size="small" type="submit" reason={left > 0 ? words.waitS(left) : null}>
                  {retry}
                  {left > 0 ? <span aria-hidden="true">{words.inS(left)}</span> : null}
                </Button>
              </PageForm>
            ) : null}
          </div>
        ) : null}
      </div>
    </div>
  )
}
