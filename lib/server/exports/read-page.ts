import { setTimeout as wait } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { listExportOrders, passingReasons } from '@/lib/domain/lists/list-export'
import { asListPage, type ListPage } from '@/lib/domain/lists/list-pages'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { listExports } from '../store/export-schema'
import { orStoreUnavailable } from '../store/store'
import { callEndpoint } from '../upstream/call-endpoint'
import { type ExportRow, isSameLease, LEASE_MS } from './queries'

async function requestPage(session: Session, { query, after }: ExportRow): Promise<ListPage<ListId>> {
  const { list, asked } = query
  const orders = listExportOrders(query)
  const parameters = {
    limit: '100',
    ...(asked && { filter: formatFilter(asked) }),
    ...(orders.length > 0 && { orderby: formatSortOrder(orders) }),
    ...(after !== null && { after }),
  }
  return asListPage(
    list,
    await callEndpoint<ListId>(session, list, {
      query: parameters,
      retry: true,
      permission: 'export',
      isBackground: true,
    }),
  )
}

/** How long the service may make a page wait; the export stops where it asks for more. */
const MAX_PAUSE_MS = 30_000

/** Reads the next page, and again after the pauses that the service asks for. Throws what callEndpoint throws, and AppError 'store-unavailable'. */
export async function readPage(db: Database, session: Session, row: ExportRow): Promise<ListPage<ListId>> {
  const until = performance.now() + MAX_PAUSE_MS
  for (;;) {
    try {
      return await requestPage(session, row)
    } catch (error) {
      const isPassing = error instanceof AppError && passingReasons.includes(error.code)
      const seconds = isPassing ? error.evidence.retryAfter : undefined
      const pause = seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(1, seconds) * 1_000
      if (performance.now() + pause > until) throw error
      const isOurs = and(isSameLease(row), eq(listExports.state, 'running'))
      const leaseUntil = databaseTime(LEASE_MS + pause)
      await orStoreUnavailable(() => db.update(listExports).set({ leaseUntil }).where(isOurs))
      await wait(pause)
    }
  }
}
