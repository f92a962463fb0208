import type { Metadata } from 'next'
import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import * as words from '@/lib/words/merchants'
import { NewMerchant } from './new-merchant'

export const metadata: Metadata = { title: words.connectMerchant }

export default async function NewMerchantPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/merchants">{words.merchants}</BackLink>
      <PageHeader title={words.connectMerchant} about={words.forAMerchant} />
      {hasPermission(role, 'administer') ? <NewMerchant /> : <RoleRefusal what={words.connectMerchants} />}
    </>
  )
}
