import { hasPermission } from '@/lib/api-contract/permission'
import { viewInbox } from '@/lib/server/webhooks/queries'
import { readRecord } from '@/lib/server/upstream/page-data'
import { requirePageSession } from '@/lib/server/auth/session'
import { WebhooksPage } from './webhooks-page'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.webhooks_webhooks)

export default async function Page() {
  const session = await requirePageSession()
  const [result, inbox] = await Promise.all([readRecord(session, 'listWebhooks'), viewInbox(session)])
  return <WebhooksPage result={result} inbox={inbox} mayManage={hasPermission(session.role, 'manage')} />
}
