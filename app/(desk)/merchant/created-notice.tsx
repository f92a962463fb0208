'use client'

import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '@/components/copy-button'
import { Button } from '@/components/ui/button'
import * as words from '@/lib/words/merchant'

/** A merchant that was just created, and the token that the service tells of it this once. */
export type Created = { handle: string | null; id: string | null; token: string | null }

/**
 * Says that a merchant was created. Its token can be copied unseen and stands on the page only when somebody asks for
 * it; it is kept nowhere else, and gone when the page is left (docs/decisions/0124-a-new-merchants-token.md).
 */
export function CreatedNotice({ created: { id, handle, token } }: { created: Created }) {
  const [isShown, setShown] = useState(false)
  const notice = useRef<HTMLOutputElement>(null)
  // The form that had the focus is gone, and what is told only once must not be missed.
  useEffect(() => notice.current?.focus(), [])
  return (
    <output
      ref={notice}
      tabIndex={-1}
      className="grid gap-1 rounded-b-lg border-t border-line bg-positive-soft px-5 py-4 max-md:px-4"
    >
      <span className="font-medium">
        {words.merchantWasCreated}
        {handle || id ? `: ${handle ?? id}` : ''}
      </span>
      {token ? (
        <span className="flex flex-wrap items-center gap-x-2">
          <span>
            {words.itsTokenToldOnlyNow}{' '}
            {isShown ? <code className="text-[0.8125rem] wrap-anywhere">{token}</code> : words.hiddenToken}
          </span>
          <CopyButton value={token} name="token" />
          <Button size="small" onClick={() => setShown(!isShown)}>
            {isShown ? words.hideToken : words.showToken}
          </Button>
        </span>
      ) : null}
      <span className="text-ink-soft">
        {words.thisDeskGoesOnWorking}
        {token ? words.copyTheToken : ''}
      </span>
    </output>
  )
}
