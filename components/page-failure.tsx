'use client'

import { CircleAlert } from 'lucide-react'
import { Button, buttonClasses } from './ui/button'

/** A page that could not be shown. `digest` names the entry in the server's log. */
export function PageFailure({ digest, onRetry }: { digest: string | undefined; onRetry: () => void }) {
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-md flex-col items-center justify-center px-6 py-16 text-center">
      <CircleAlert aria-hidden="true" className="size-8 text-ink-faint" strokeWidth={1.5} />
      <h1 className="mt-4 text-xl font-semibold tracking-tight">This page could not be shown</h1>
      <p className="mt-2 text-ink-soft">
        Something went wrong here. Nothing was sent and nothing was changed by showing it.
      </p>
      {digest ? (
        <p className="mt-2 text-xs text-ink-faint">
          Reference <span className="select-all">{digest}</span>
        </p>
      ) : null}
      <div className="mt-6 flex gap-2">
        <Button tone="primary" onClick={onRetry}>
          Retry
        </Button>
        {/* A full load: what failed here may sit in memory; and this page is carried by all others, so it stays light. */}
        {/* oxlint-disable-next-line next/no-html-link-for-pages */}
        <a href="/" className={buttonClasses()}>
          Start page
        </a>
      </div>
    </div>
  )
}
