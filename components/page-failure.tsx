'use client'

import * as words from '@/lib/words/page-failure'

/** A page that could not be shown. `digest` names the entry in the server's log. Every page carries it: it is light. */
export function PageFailure({ digest, onRetry }: { digest: string | undefined; onRetry: () => void }) {
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-md flex-col items-center justify-center px-6 py-16 text-center">
      <span aria-hidden="true" className="state-mark state-mark-cross state-mark-large" />
      <h1 className="mt-4 text-xl font-semibold tracking-tight">{words.thisPageCouldNot}</h1>
      <p className="mt-2 text-ink-soft">{words.somethingWentWrongHereNothing}</p>
      {digest ? (
        <p className="mt-2 text-xs text-ink-faint">
          {words.reference} <span className="select-all">{digest}</span>
        </p>
      ) : null}
      <div className="mt-6 flex gap-2">
        <button type="button" className="button button-primary" onClick={onRetry}>
          {words.retry}
        </button>
        {/* A full load: what failed here may sit in memory; and Link is not needed for it. */}
        {/* oxlint-disable-next-line next/no-html-link-for-pages */}
        <a href="/" className="button button-secondary">
          {words.startPage}
        </a>
      </div>
    </div>
  )
}
