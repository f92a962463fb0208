import type { Metadata } from 'next'
import { BackLink, PageHeader } from '@/components/layout/page-header'
import { RoleRefusal } from '@/components/feedback/refusals'
import { hasPermission } from '@/lib/api-contract/permission'
import { requirePageSession } from '@/lib/server/auth/session'
import * as words from '@/lib/words/new-agreement'
import { NewAgreement } from './new-agreement'

export const metadata: Metadata = { title: words.newAgreement }

export default async function NewAgreementPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/agreements">{words.agreements}</BackLink>
      <PageHeader title={words.newAgreement} about={words.agreementTiesTheMerchant} />
      {hasPermission(role, 'manage') ? <NewAgreement /> : <RoleRefusal what={words.createAgreements} />}
    </>
  )
}
