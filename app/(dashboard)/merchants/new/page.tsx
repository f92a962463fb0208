import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import { NewMerchant } from './new-merchant'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.merchants_connectMerchant)

export default async function NewMerchantPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/merchants">{m.merchants_merchants()}</BackLink>
      <PageHeader title={m.merchants_connectMerchant()} about={m.merchants_forAMerchant()} />
      {hasPermission(role, 'administer') ? <NewMerchant /> : <RoleRefusal what={m.merchants_connectMerchants()} />}
    </>
  )
}
