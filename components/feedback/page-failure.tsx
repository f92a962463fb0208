'use client'

import * as words from '@/lib/words/page-failure'
import { retry } from '@/lib/words/retry'

/**
 * A page that failed to render. `digest` identifies the entry in the server's log. Part of every page, so it stays
 * small.
 */
export function PageFailure({ digest }: { digest: string | undefined }) {
  return (
    <div className="page-failure">
      <span aria-hidden="true" className="state-mark state-mark-cross state-mark-large" />
      <h1>{words.thisPageCouldNot}</h1>
      <p>{words.somethingWentWrongHereNothing}</p>
      {digest ? (
        <small>
          {words.reference} <samp>{digest}</samp>
        </small>
      ) : null}
      <div>
        {/* Full page loads: the cause may be in memory, and React's own retry doesn't contact the server. */}
        <button type="button" className="button button-primary" onClick={() => window.location.reload()}>
          {retry}
        </button>
        {/* oxlint-disable-next-line next/no-html-link-for-pages */}
        <a href="/" className="button button-secondary">
          {words.startPage}
        </a>
      </div>
    </div>
  )
}
