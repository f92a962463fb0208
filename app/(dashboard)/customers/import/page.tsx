import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { listImports } from '@/lib/server/imports/import-record'
import { requirePageSession } from '@/lib/server/auth/session'
import { getSettings } from '@/lib/server/runtime/settings'
import { requireStore } from '@/lib/server/store/store'
import { ImportCustomers } from './import-customers'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.customerImport_importCustomers)

export default async function ImportPage() {
  const { role, scope } = await requirePageSession()
  const mayImport = hasPermission(role, 'manage')
  const imports = mayImport ? await listImports(await requireStore(), scope) : []
  return (
    <>
      <BackLink href="/customers">{m.customerImport_customers()}</BackLink>
      <PageHeader
        title={m.customerImport_importCustomers()}
        about={`${m.customerImport_fromACsvFileWhose()} ${m.customerImport_importsAreKept({ days: getSettings().KEEP_IMPORTS })}`}
      />
      {mayImport ? (
        <ImportCustomers imports={imports} />
      ) : (
        <RoleRefusal what={m.customerImport_importCustomersLabel()} />
      )}
    </>
  )
}
