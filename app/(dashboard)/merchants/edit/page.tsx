import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { findOwnConnection } from '@/lib/server/merchants/commands'
import { explainUnreadableCredential } from '@/lib/server/upstream/stored-connections'
import { AppError } from '@/lib/server/runtime/app-error'
import { requirePageSession, type Session } from '@/lib/server/auth/session'
import { requireStore } from '@/lib/server/store/store'
import { toFormValues } from '@/components/merchants/typed-connection'
import { EditMerchant } from './edit-merchant'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.merchants_editConnection)

/** Null for the connection configured by settings. */
async function findStored(session: Session) {
  try {
    return await findOwnConnection(await requireStore(), session.scope)
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return null
    throw error
  }
}

/** Edits, tests and removes the current merchant's connection. */
export default async function EditMerchantPage() {
  const session = await requirePageSession()
  const mayEdit = hasPermission(session.role, 'administer')
  const row = mayEdit ? await findStored(session) : null
  const locked = row && explainUnreadableCredential(row)
  return (
    <>
      <BackLink href="/merchants">{m.merchants_merchants()}</BackLink>
      <PageHeader title={row ? m.merchants_connectionOf({ name: row.name }) : m.merchants_connection()} />
      {mayEdit ? null : <RoleRefusal what={m.merchants_changeConnections()} />}
      {mayEdit && !row ? <p className="px-4 md:px-8">{m.merchants_thisConnectionIsSetWhere()}</p> : null}
      {locked ? (
        <p role="alert" className="mx-4 mb-4 max-w-2xl rounded-lg border border-line bg-sunken p-4 font-medium md:mx-8">
          {locked}
        </p>
      ) : null}
      {row ? (
        <EditMerchant
          name={row.name}
          initial={toFormValues(row.name, row.settings)}
          hasSecret={row.credential !== null && !locked}
          revision={row.revision}
        />
      ) : null}
    </>
  )
}
