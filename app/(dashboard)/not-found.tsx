import { NothingHere } from '@/components/feedback/refusals'

import { createMetadata } from '@/lib/server/auth/page-metadata'
import { readSessionInfo } from '@/lib/server/auth/session'
import { AppError } from '@/lib/server/runtime/app-error'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.problems_nothingHere)

/** What isn't there, also because the address names a merchant that the user does not work for. */
export default async function NotFoundPage() {
  const error: unknown = await readSessionInfo().catch((thrown: unknown) => thrown)
  if (!(error instanceof AppError && error.code === 'no-such-merchant')) return <NothingHere />
  return (
    <NothingHere
      title={m.problems_codesNoSuchMerchantTitle()}
      about={m.problems_codesNoSuchMerchantAdvice()}
      href="/merchants"
      link={m.merchants_merchants()}
      leavesMerchant
    />
  )
}
