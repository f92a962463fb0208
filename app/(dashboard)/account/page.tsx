import { PageHeader } from '@/components/layout/page-header'
import { AccountLanguage } from '@/components/layout/language-switch'
import { listOwnSessions } from '@/lib/server/auth/own-sessions'
import { readSessionInfo, requirePageSession } from '@/lib/server/auth/session'
import { requireStore } from '@/lib/server/store/store'
import { readPageFactors } from '@/lib/server/second-factor/pending-session'
import { hasPassword } from '@/lib/server/auth/users'
import { ChangePassword } from './change-password'
import { SecondFactor } from './second-factor'
import { OwnSignIns } from './own-sign-ins'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.account_yourAccount)

export default async function Page() {
  const session = await requirePageSession()
  const [sessions, withPassword, language, factors] = [
    await listOwnSessions(session),
    await hasPassword(await requireStore(), session.userId),
    (await readSessionInfo())?.language ?? null,
    await readPageFactors(),
  ]
  return (
    <>
      <PageHeader title={m.account_yourAccount()} about={session.email} />
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
        <OwnSignIns initialSessions={sessions} />
        {factors ? <SecondFactor initialFactors={factors} /> : null}
        <AccountLanguage chosen={language} />
        {withPassword ? <ChangePassword email={session.email} /> : null}
      </div>
    </>
  )
}
