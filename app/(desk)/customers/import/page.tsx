import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { PageHeader } from '@/components/page-header'
import { QueryProvider } from '@/components/query-provider'
import { RoleRefusal } from '@/components/role-refusal'
import { mayRole } from '@/lib/contract/permission'
import { listImports } from '@/lib/server/imports/view-import'
import { requirePageSession } from '@/lib/server/session'
import { requireStore } from '@/lib/server/store/require-store'
import { ImportCustomers } from './import-customers'

export const metadata: Metadata = { title: 'Import customers' }

export default async function ImportPage() {
  const { role, scope } = await requirePageSession()
  const mayImport = mayRole(role, 'manage')
  const imports = mayImport ? await listImports(await requireStore(), scope) : []
  return (
    <>
      <BackLink href="/customers">Customers</BackLink>
      <PageHeader title="Import customers" about="From a CSV file whose first line names the columns." />
      {mayImport ? (
        <QueryProvider>
          <ImportCustomers imports={imports} />
        </QueryProvider>
      ) : (
        <RoleRefusal what="import customers" />
      )}
    </>
  )
}
