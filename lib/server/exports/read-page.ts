import { setTimeout as wait } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import type { Database } from '@/lib/database/database'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { listExportOrders, passingReasons } from '@/lib/domain/lists/list-export'
import { asListPage, type ListPage } from '@/lib/domain/lists/list-pages'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { listExports } from '../store/export-schema'
import { orStoreUnavailable } from '../store/store'
import { callEndpoint } from '../upstream/call-endpoint'
import { type ExportRow, isSameLease, nextLease } from './queries'

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
/** How soon a pause ends of an export that its person stops. */
const STEP_MS = 1_000

/** Waits, and keeps the lease meanwhile. False once the export was stopped or another process took over. */
async function pauseFor(db: Database, row: ExportRow, pause: number): Promise<boolean> {
  const isOurs = and(isSameLease(row), eq(listExports.state, 'running'))
  for (let left = pause; left > 0; left -= STEP_MS) {
    const kept = await orStoreUnavailable(() =>
      db.update(listExports).set({ leaseUntil: nextLease() }).where(isOurs).returning({ id: listExports.id }),
    )
    if (kept.length === 0) return false
    await wait(Math.min(left, STEP_MS))
  }
  return true
}

/**
 * Reads the next page, and again after the pauses that the service asks for; null where the export was stopped in one. Throws what
 * callEndpoint throws, and AppError 'store-unavailable'.
 */
export async function readPage(db: Database, session: Session, row: ExportRow): Promise<ListPage<ListId> | null> {
  const until = performance.now() + MAX_PAUSE_MS
  for (;;) {
    try {
      return await requestPage(session, row)
    } catch (error) {
      const isPassing = error instanceof AppError && passingReasons.includes(error.code)
      const seconds = isPassing ? error.evidence.retryAfter : undefined
      const pause = seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(1, seconds) * 1_000
      if (performance.now() + pause > until) throw error
      if (!(await pauseFor(db, row, pause))) return null
    }
  }
}
