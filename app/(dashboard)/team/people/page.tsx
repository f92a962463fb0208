import { RoleRefusal } from '@/components/feedback/refusals'
import { BackLink, PageHeader } from '@/components/layout/page-header'
import { hasPermission } from '@/lib/api-contract/permission'
import * as m from '@/lib/messages/m'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import { requirePageSession } from '@/lib/server/auth/session'
import { FindPerson } from './find-person'

export const generateMetadata = createMetadata(m.people_title)

/** What is kept about any person, also one that the provider no longer knows. */
export default async function Page() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/team">{m.team_team()}</BackLink>
      <PageHeader title={m.people_title()} about={m.people_about()} />
      {hasPermission(role, 'administer') ? (
        <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
          <FindPerson />
        </div>
      ) : (
        <RoleRefusal what={m.people_administer()} />
      )}
    </>
  )
}
