import { DataTree } from '@/components/records/data-tree'
import { Link } from '@/components/layout/link'
import { PageHeader } from '@/components/layout/page-header'
import { buttonClasses } from '@/components/ui/button'
import { hasPermission } from '@/lib/api-contract/permission'
import { readApprovalRule } from '@/lib/server/cancellations/intents'
import { requireStore } from '@/lib/server/store/store'
import { getConnection } from '@/lib/server/upstream/connection'
import { readRecord } from '@/lib/server/upstream/page-data'
import { readSessionInfo, requirePageSession } from '@/lib/server/auth/session'
import { getSettings } from '@/lib/server/runtime/settings'
import { ApprovalRuleSection } from './approval-rule'
import { ConnectionSummary, MerchantRecord } from './merchant-record'
import { CreateMerchant } from './create-merchant'
import { MerchantFailure } from './merchant-failure'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.merchant_merchant)

/** The merchant this API credential belongs to, and the connection to it. */
export default async function MerchantPage() {
  const session = await requirePageSession()
  const result = await readRecord(session, 'getMerchant')
  const mayAdminister = hasPermission(session.role, 'administer')
  const hasSeveral = ((await readSessionInfo())?.merchants.length ?? 0) > 1
  const { baseUrl, rules, mode } = getConnection(session.scope.connectionId)
  const settings = getSettings()
  const isEmbedded = mode === null && settings.UPSTREAM_URL === undefined
  return (
    <>
      <PageHeader isNarrow title={m.merchant_merchant()} about={m.merchant_whomTheDeskCollects()}>
        {mayAdminister ? (
          <Link href="/merchant/doctor" className={buttonClasses()}>
            {m.merchant_doctor()}
          </Link>
        ) : null}
        {mayAdminister || hasSeveral ? (
          <Link href="/merchants" className={buttonClasses()}>
            {m.merchant_allMerchants()}
          </Link>
        ) : null}
      </PageHeader>
      <div className="grid max-w-page grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
        {'failure' in result ? (
          <MerchantFailure failure={result.failure} />
        ) : typeof result.record === 'object' && result.record !== null && !Array.isArray(result.record) ? (
          <MerchantRecord record={result.record} />
        ) : (
          <section className="rounded-lg border border-line bg-surface p-5">
            <h2 className="mb-2 font-semibold">{m.merchant_whatTheServiceSaid()}</h2>
            <DataTree value={result.record ?? null} />
          </section>
        )}
        <ConnectionSummary
          service={isEmbedded ? m.merchant_embeddedServiceAt({ host: baseUrl.host }) : baseUrl.host}
          amounts={rules.amounts}
          zone={settings.SCHEME_ZONE}
          cancellable={rules.cancellable}
          isConnected={mode !== null}
          mayEdit={mayAdminister}
        />
        <ApprovalRuleSection
          rule={{ value: await readApprovalRule(await requireStore(), session.scope) }}
          mayChange={mayAdminister}
        />
        {hasPermission(session.role, 'manage') ? <CreateMerchant /> : null}
      </div>
    </>
  )
}
