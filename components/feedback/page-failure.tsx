'use client'

import * as words from '@/lib/words/page-failure'
import { retry } from '@/lib/words/retry'

/** A page that could not be shown. `digest` names the entry in the server's log. Every page carries it: it is light. */
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
        {/* Full loads: what failed may sit in memory, and React's own second try does not ask the server again. */}
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
