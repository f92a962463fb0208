import type { Metadata } from 'next'
import { PageHeader } from '@/components/layout/page-header'
import { listOwnSessions } from '@/lib/server/auth/own-sessions'
import { requirePageSession } from '@/lib/server/auth/session'
import { requireStore } from '@/lib/server/store/store'
import { hasPassword } from '@/lib/server/auth/users'
import * as words from '@/lib/words/account'
import { ChangePassword } from './change-password'
import { OwnSignIns } from './own-sign-ins'

export const metadata: Metadata = { title: words.yourAccount }

export default async function Page() {
  const session = await requirePageSession()
  const [sessions, withPassword] = [
    await listOwnSessions(session),
    await hasPassword(await requireStore(), session.userId),
  ]
  return (
    <>
      <PageHeader title={words.yourAccount} about={session.email} />
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
        <OwnSignIns initialSessions={sessions} />
        {withPassword ? <ChangePassword email={session.email} /> : null}
      </div>
    </>
  )
}
