'use client'

import { useState } from 'react'
import { useFocusContent } from '@/lib/client/page-lifecycle'
import { type ResetInfo, resetCookie } from '@/lib/domain/accounts'
import { Link } from './link'
import { Timestamp } from '../records/dates'
import { RichMessage } from '../ui/rich-message'
import { Button } from '../ui/button'
import * as m from '@/lib/messages/m'

/** Warns that the user's password was set through a link created by somebody else, until they acknowledge it. */
export function PasswordResetNotice({ resets }: { resets: ResetInfo[] }) {
  const [isHidden, setIsHidden] = useState(false)
  useFocusContent(isHidden)
  const [newest] = resets
  if (isHidden || !newest) return null
  const hide = () => {
    const secure = location.protocol === 'https:' ? '; secure' : ''
    // Stored in this browser only: somebody who misused the link can't hide the warning from the owner.
    // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store is not in every browser
    document.cookie = `${resetCookie}=${newest.id}; path=/; max-age=2592000; samesite=lax${secure}`
    setIsHidden(true)
  }
  return (
    <section
      aria-label={m.shell_passwordWasReset()}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-caution/25 bg-caution-soft/60 px-4 py-2 text-[0.8125rem] md:px-8"
    >
      <p className="min-w-0 flex-1 basis-72 break-words">
        {resets.map(({ id, madeBy, at }) => (
          <span key={id}>
            <RichMessage
              message={m.shell_resetWithLinkBy}
              parts={{ maker: madeBy, time: <Timestamp key={id} value={at} /> }}
            />{' '}
          </span>
        ))}
        <RichMessage
          message={m.shell_whereNotYou}
          parts={{
            link: (
              <Link href="/account" className="font-medium text-accent-ink underline">
                {m.shell_whereNotYouLink()}
              </Link>
            ),
          }}
        />
      </p>
      <Button size="small" onClick={hide}>
        {m.shell_thatWasMe()}
      </Button>
    </section>
  )
}
