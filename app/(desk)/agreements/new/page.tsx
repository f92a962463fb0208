import type { Metadata } from 'next'
import { BackLink } from '@/components/back-link'
import { PageHeader } from '@/components/page-header'
import { RoleRefusal } from '@/components/role-refusal'
import { mayRole } from '@/lib/contract/permission'
import { requirePageSession } from '@/lib/server/session'
import * as words from '@/lib/words/new-agreement'
import { NewAgreement } from './new-agreement'

export const metadata: Metadata = { title: words.newAgreement }

export default async function NewAgreementPage() {
  const { role } = await requirePageSession()
  return (
    <>
      <BackLink href="/agreements">{words.agreements}</BackLink>
      <PageHeader title={words.newAgreement} about={words.agreementTiesTheMerchant} />
      {mayRole(role, 'manage') ? <NewAgreement /> : <RoleRefusal what={words.createAgreements} />}
    </>
  )
}
