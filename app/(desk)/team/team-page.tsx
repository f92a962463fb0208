'use client'

import { useState } from 'react'
import type { PasswordLink, Team } from '@/lib/contract/team'
import * as words from '@/lib/words/team'
import { InviteMember } from './invite-member'
import { LinkNotice } from './link-notice'
import { MemberRow } from './member-row'
import { useTeam } from './use-team'

/** A link that was just made, and for whom; null for somebody who needs none. */
export type MadeLink = { email: string; link: PasswordLink | null }

/** Everybody of the team, and what an admin can do about it. */
export function TeamPage({ first, userId }: { first: Team; userId: string }) {
  const { members } = useTeam(first)
  const [made, setMade] = useState<MadeLink | null>(null)
  return (
    <div className="grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
      {made ? <LinkNotice key={made.link?.address ?? made.email} made={made} onDone={() => setMade(null)} /> : null}
      <section aria-label={words.members} className="rounded-lg border border-line bg-surface">
        <ul>
          {members.map((member) => (
            <MemberRow key={member.userId} member={member} isSelf={member.userId === userId} onLink={setMade} />
          ))}
        </ul>
      </section>
      <InviteMember onInvited={setMade} />
    </div>
  )
}
