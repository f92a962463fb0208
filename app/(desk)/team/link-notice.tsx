'use client'

import { KeyRound } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { CopyButton } from '@/components/copy-button'
import { Timestamp } from '@/components/timestamp'
import { Button } from '@/components/ui/button'
import type { MadeLink } from './team-page'
import * as words from '@/lib/words/team'

/** Shows a one-time link, this once: the desk sends no mail and keeps only a hash. */
export function LinkNotice({ made: { email, link }, onDone }: { made: MadeLink; onDone: () => void }) {
  const notice = useRef<HTMLElement>(null)
  // What made it may stand far below, on a phone out of sight of it.
  useEffect(() => notice.current?.focus(), [])
  return (
    <section
      ref={notice}
      tabIndex={-1}
      aria-label={link ? words.linkFor(email) : email}
      className="flex gap-3 md:scroll-mt-20 rounded-lg border border-line bg-accent-soft p-4"
    >
      <KeyRound className="mt-0.5 size-4.5 text-accent-ink" />
      <div className="min-w-0 flex-1">
        {link ? (
          <>
            <p className="font-semibold wrap-anywhere">{words.linkFor(email)}</p>
            <p className="mt-1 text-ink-soft">
              {words.sendItYourself} <Timestamp value={link.expiresAt} />.
            </p>
            <p className="mt-3 flex items-center gap-1 rounded-md border border-line bg-surface px-3 py-2">
              <span data-link className="min-w-0 flex-1 text-[0.8125rem] break-all select-all">
                {link.address}
              </span>
              <CopyButton value={link.address} name="link" />
            </p>
          </>
        ) : (
          <p className="wrap-anywhere">
            <span className="font-semibold">{email}</span> {words.isInTheTeamNow}
          </p>
        )}
        <Button size="small" className="mt-3" onClick={onDone}>
          {words.done}
        </Button>
      </div>
    </section>
  )
}
