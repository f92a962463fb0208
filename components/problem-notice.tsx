'use client'

import type { ReactNode } from 'react'
import type { ProblemFacts } from '@/lib/browser/problem-facts'
import { chooseProblemFace } from './problem-face'
import { Button } from './ui/button'
import { mergeClasses } from './ui/merge-classes'
import { useCountdown } from './use-countdown'

type ProblemNoticeProps = {
  facts: ProblemFacts
  /** Offers "Retry"; held back with a countdown while the answer asks to wait. */
  onRetry?: () => void
  /** `line` beside rows that stay, `page` alone in a space of its own. */
  layout?: 'line' | 'page'
  children?: ReactNode
}

function joinWords(...words: (string | number | null | undefined)[]): string {
  return words.filter((word) => word !== null && word !== undefined && word !== '').join(' · ')
}

/** A refusal or failure: what it is, what can be done, and the particulars for whoever looks into it. */
export function ProblemNotice({ facts, onRetry, layout = 'line', children }: ProblemNoticeProps) {
  const { icon: Icon, title, advice, kind } = chooseProblemFace(facts)
  const left = useCountdown(facts.retryAfter, facts)
  const { upstream } = facts
  const alone = layout === 'page'
  return (
    <div
      role="alert"
      data-problem={kind}
      className={mergeClasses(
        'flex gap-3 text-ink',
        alone
          ? 'mx-auto max-w-md flex-col items-center px-6 py-16 text-center'
          : 'rounded-lg border border-line bg-sunken p-4 text-left',
      )}
    >
      <Icon
        aria-hidden="true"
        className={mergeClasses('shrink-0', alone ? 'size-8 text-ink-faint' : 'mt-0.5 size-4.5 text-caution')}
        strokeWidth={alone ? 1.5 : 2}
      />
      <div className="min-w-0 flex-1">
        <p className={alone ? 'text-base font-semibold' : 'font-semibold'}>{title}</p>
        {facts.detail && facts.detail !== title ? <p className="mt-1 wrap-anywhere">{facts.detail}</p> : null}
        {advice ? <p className="mt-1 text-ink-soft">{advice}</p> : null}
        {upstream && (upstream.title ?? upstream.detail) ? (
          <p className="mt-1 wrap-anywhere text-ink-soft">
            The service said: {joinWords(upstream.status, upstream.title, upstream.detail, upstream.instance)}
          </p>
        ) : null}
        {facts.instance ? (
          <p className="mt-1 text-xs text-ink-faint">
            Request <span className="select-all">{facts.instance}</span>
          </p>
        ) : null}
        {children}
        {onRetry || facts.code === 'signed-out' ? (
          <div className={mergeClasses('mt-3 flex gap-2', alone && 'justify-center')}>
            {facts.code === 'signed-out' ? (
              <a
                href="/sign-in"
                target="_blank"
                rel="noreferrer"
                className="self-center font-medium text-accent-ink underline"
              >
                Sign in in another tab
              </a>
            ) : null}
            {onRetry ? (
              <Button size="small" onClick={onRetry} reason={left > 0 ? `Wait ${left} s` : null}>
                Retry
                {left > 0 ? <span aria-hidden="true">in {left} s</span> : null}
              </Button>
            ) : null}
          </div>
        ) : null}
      </div>
    </div>
  )
}
