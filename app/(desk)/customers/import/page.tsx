import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { PageHeader } from '@/components/page-header'
import { RoleRefusal } from '@/components/role-refusal'
import { mayRole } from '@/lib/contract/permission'
import { listImports } from '@/lib/server/imports/view-import'
import { requirePageSession } from '@/lib/server/session'
import { getSettings } from '@/lib/server/settings'
import { requireStore } from '@/lib/server/store/require-store'
import * as words from '@/lib/words/customer-import'
import { ImportCustomers } from './import-customers'

export const metadata: Metadata = { title: words.importCustomers }

export default async function ImportPage() {
  const { role, scope } = await requirePageSession()
  const mayImport = mayRole(role, 'manage')
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
