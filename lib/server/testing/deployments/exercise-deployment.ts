import { afterAll, beforeEach } from 'vitest'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { asListPage, type ListRow } from '@/lib/domain/lists/list-pages'
import type { Continuation } from '@/lib/api-contract/pagination'
import type { Ledger } from '../../cancellations/ledger'
import { callEndpoint } from '../../upstream/call-endpoint'
import type { Session } from '../../auth/session'
import { makeSession, openMemoryStore, setMemoryStore } from '../store-fixture'
import { makeTestLedger } from '../test-ledger'
import type { Deployment } from './deployment'

/** Loads a list as the desk does, page after page, at most 20. */
export async function loadList<List extends ListId>(
  session: Session,
  list: List,
): Promise<{ rows: ListRow<List>[]; pages: number; end: Continuation }> {
  const rows: ListRow<List>[] = []
  let after: string | undefined
  for (let pages = 1; ; pages += 1) {
    const page = asListPage(list, await callEndpoint<ListId>(session, list, { query: { after, limit: '100' } }))
    rows.push(...page.results)
    if (page.continuation.kind !== 'more' || pages === 20) return { rows, pages, end: page.continuation }
    after = page.continuation.after
  }
}

/**
 * Points the process's default connection at a deployment, for the tests of a file. Recorded requests are cleared before
 * each test; the deployment is closed after the last.
 */
export async function openDeployment<Kind extends Deployment>(
  start: () => Promise<Kind>,
): Promise<{ deployment: Kind; session: Session; ledger: Ledger }> {
  const deployment = await start()
  for (const name of Object.keys(process.env)) if (name.startsWith('UPSTREAM_')) delete process.env[name]
  Object.assign(process.env, deployment.settings)
  await setMemoryStore()
  const ledger = await openDeploymentLedger(deployment)
  beforeEach(() => {
    deployment.service.requests.length = 0
  })
  afterAll(() => deployment.service.close())
  return { deployment, session: makeSession('admin'), ledger }
}

/** A ledger for a deployment, with the states of its settings. */
export async function openDeploymentLedger({ settings, service }: Deployment): Promise<Ledger> {
  return makeTestLedger(await openMemoryStore(), service.url, { settings })
}
