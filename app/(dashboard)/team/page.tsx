import { Link } from '@/components/layout/link'
import { PageHeader } from '@/components/layout/page-header'
import { buttonClasses } from '@/components/ui/button'
import { RoleRefusal } from '@/components/feedback/refusals'
import { rolesPath } from '@/lib/domain/accounts'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import { listTeamTokens } from '@/lib/server/api-tokens/queries'
import { requireStore } from '@/lib/server/store/store'
import { listTeam } from '@/lib/server/team/queries'
import { TeamPage } from './team-page'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.team_team)

export default async function Page() {
  const session = await requirePageSession()
  const mayAdminister = hasPermission(session.role, 'administer')
  return (
    <>
      <PageHeader isNarrow title={m.team_team()} about={m.team_whoMaySign()}>
        {mayAdminister ? (
          <Link href="/team/people" className={buttonClasses()}>
            {m.people_title()}
          </Link>
        ) : null}
        <Link href={rolesPath} className={buttonClasses()}>
          {m.roles_see()}
        </Link>
      </PageHeader>
      {mayAdminister ? (
        <TeamPage
          initialTeam={await listTeam(session)}
          initialTokens={await listTeamTokens(await requireStore(), session)}
          userId={session.userId}
        />
      ) : (
        <RoleRefusal what={m.team_seeTheTeamAndChange()} />
      )}
    </>
  )
}
