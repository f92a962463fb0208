'use client'

import { useState } from 'react'
import { type ResetFacts, resetCookie } from '@/lib/contract/team'
import * as words from '@/lib/words/shell'
import { Timestamp } from './timestamp'
import { Button } from './ui/button'

/** Tells somebody that their password was set with a link which somebody else made, until they say that they know. */
export function PasswordResetNotice({ id, madeBy, at }: ResetFacts) {
  const [isHidden, setIsHidden] = useState(false)
  if (isHidden) return null
  const hide = () => {
    const secure = location.protocol === 'https:' ? '; secure' : ''
    // Kept in this browser alone: somebody who used the link in the owner's place hides nothing from the owner.
    // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store is not in every browser
    document.cookie = `${resetCookie}=${id}; path=/; max-age=2592000; samesite=lax${secure}`
    setIsHidden(true)
  }
  return (
    <section
      aria-label={words.passwordWasReset}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line bg-sunken px-4 py-2 text-[0.8125rem] md:px-8"
    >
      <p className="min-w-0 break-words">
        {words.resetWithLinkBy(madeBy)} <Timestamp value={at} />. {words.tellWhereNotYou}
      </p>
      <Button size="small" onClick={hide}>
        {words.iKnow}
      </Button>
    </section>
  )
}
