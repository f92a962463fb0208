import type { Metadata } from 'next'
import { PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import { listTeam } from '@/lib/server/team/queries'
import * as words from '@/lib/words/team'
import { TeamPage } from './team-page'

export const metadata: Metadata = { title: words.team }

export default async function Page() {
  const session = await requirePageSession()
  const mayAdminister = hasPermission(session.role, 'administer')
  return (
    <>
      <PageHeader title={words.team} about={words.whoMaySign} />
      {mayAdminister ? (
        <TeamPage initialTeam={await listTeam(session.scope)} userId={session.userId} />
      ) : (
        <RoleRefusal what={words.seeTheTeamAndChange} />
      )}
    </>
  )
}
