'use client'

import * as m from '@/lib/messages/m'

/**
 * A page that failed to render. `digest` identifies the entry in the server's log. Part of every page, so it stays
 * small.
 */
export function PageFailure({ digest }: { digest: string | undefined }) {
  return (
    <div className="page-failure">
      <span aria-hidden="true" className="state-mark state-mark-cross state-mark-large" />
      <h1>{m.pageFailure_thisPageCouldNot()}</h1>
      <p>{m.pageFailure_somethingWentWrongHereNothing()}</p>
      {digest ? (
        <small>
          {m.pageFailure_reference()} <samp>{digest}</samp>
        </small>
      ) : null}
      <div>
        {/* Full page loads: the cause may be in memory, and React's own retry doesn't contact the server. */}
        <button type="button" className="button button-primary" onClick={() => window.location.reload()}>
          {m.retry_retry()}
        </button>
        {/* oxlint-disable-next-line next/no-html-link-for-pages */}
        <a href="/" className="button button-secondary">
          {m.pageFailure_startPage()}
        </a>
      </div>
    </div>
  )
}
