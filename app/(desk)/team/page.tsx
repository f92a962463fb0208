import type { Metadata } from 'next'
import { PageHeader } from '@/components/page-header'
import { QueryProvider } from '@/components/query-provider'
import { RoleRefusal } from '@/components/role-refusal'
import { mayRole } from '@/lib/contract/permission'
import { requirePageSession } from '@/lib/server/session'
import { listTeam } from '@/lib/server/team/list-team'
import { TeamPage } from './team-page'

export const metadata: Metadata = { title: 'Team' }

export default async function Page() {
  const session = await requirePageSession()
  const mayAdminister = mayRole(session.role, 'administer')
  return (
    <>
      <PageHeader title="Team" about="Who may sign in for this merchant, and as what." />
      {mayAdminister ? (
        <QueryProvider>
          <TeamPage first={await listTeam(session.scope)} userId={session.userId} />
        </QueryProvider>
      ) : (
        <RoleRefusal what="see the team and change it" />
      )}
    </>
  )
}
