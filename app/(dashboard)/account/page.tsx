import { PageHeader } from '@/components/layout/page-header'
import { AccountLanguage } from '@/components/layout/language-switch'
import { listOwnSessions } from '@/lib/server/auth/own-sessions'
import { listOwnTokens } from '@/lib/server/api-tokens/queries'
import { readSessionInfo, requirePageSession } from '@/lib/server/auth/session'
import { listNotifications } from '@/lib/server/mail/choices'
import { isMailable } from '@/lib/server/mail/outbox'
import { getSettings } from '@/lib/server/runtime/settings'
import { requireStore } from '@/lib/server/store/store'
import { readPageFactors } from '@/lib/server/second-factor/pending-session'
import { hasPassword } from '@/lib/server/auth/users'
import { ApiTokens } from './api-tokens'
import { ChangePassword } from './change-password'
import { SecondFactor } from './second-factor'
import { Notifications } from './notifications'
import { OwnSignIns } from './own-sign-ins'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.account_yourAccount)

export default async function Page() {
  const session = await requirePageSession('account')
  const db = await requireStore()
  const [sessions, withPassword, language, factors, notifications, tokens] = [
    await listOwnSessions(session),
    await hasPassword(db, session.userId),
    (await readSessionInfo())?.language ?? null,
    await readPageFactors(),
    isMailable(session.email) ? await listNotifications(db, session) : null,
    await listOwnTokens(db, session),
  ]
  return (
    <>
      <PageHeader title={m.account_yourAccount()} about={session.email} />
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
        <OwnSignIns initialSessions={sessions} hasTokens={!tokens.isImpossible || tokens.tokens.length > 0} />
        {factors ? <SecondFactor initialFactors={factors} hasPassword={withPassword} /> : null}
        <ApiTokens initialTokens={tokens} />
        <AccountLanguage chosen={language} />
        {notifications ? <Notifications initial={notifications} zone={getSettings().SCHEME_ZONE} /> : null}
        {withPassword ? <ChangePassword email={session.email} /> : null}
      </div>
    </>
  )
}
