'use client'

import { type ReactNode, useState } from 'react'
import { useFocusContent } from '@/lib/client/page-lifecycle'
import { resetCookie } from '@/lib/domain/accounts'
import { Button } from '../ui/button'
import * as m from '@/lib/messages/m'

/** The notice of a password reset, which its owner's answer hides; `id` is of the newest reset. */
export function ResetAnswer({ id, children }: { id: string; children: ReactNode }) {
  const [isHidden, setIsHidden] = useState(false)
  useFocusContent(isHidden)
  if (isHidden) return null
  const hide = () => {
    const secure = location.protocol === 'https:' ? '; secure' : ''
    // Stored in this browser only: somebody who misused the link can't hide the warning from the owner.
    // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store is not in every browser
    document.cookie = `${resetCookie}=${id}; path=/; max-age=2592000; samesite=lax${secure}`
    setIsHidden(true)
  }
  return (
    <section
      aria-label={m.shell_passwordWasReset()}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-caution/25 bg-caution-soft/60 px-4 py-2 text-[0.8125rem] md:px-8"
    >
      {children}
      <Button size="small" onClick={hide}>
        {m.shell_thatWasMe()}
      </Button>
    </section>
  )
}
