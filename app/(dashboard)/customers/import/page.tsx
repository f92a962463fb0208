import type { Metadata } from 'next'
import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { listImports } from '@/lib/server/imports/import-record'
import { requirePageSession } from '@/lib/server/auth/session'
import { getSettings } from '@/lib/server/runtime/settings'
import { requireStore } from '@/lib/server/store/store'
import * as words from '@/lib/words/customer-import'
import { ImportCustomers } from './import-customers'

export const metadata: Metadata = { title: words.importCustomers }

export default async function ImportPage() {
  const { role, scope } = await requirePageSession()
  const mayImport = hasPermission(role, 'manage')
  const imports = mayImport ? await listImports(await requireStore(), scope) : []
  return (
    <>
      <BackLink href="/customers">{words.customers}</BackLink>
      <PageHeader
        title={words.importCustomers}
        about={`${words.fromACsvFileWhose} ${words.importsAreKept(getSettings().KEEP_IMPORTS)}`}
      />
      {mayImport ? <ImportCustomers imports={imports} /> : <RoleRefusal what={words.importCustomersLabel} />}
    </>
  )
}
