import { join } from 'node:path'
import { openDatabase } from '@/lib/database/open-database'
import { createApp } from './app'
import { type Clock, makeClock } from './clock'
import { takeDueSteps } from './life/take-due-steps'
import { startLifecycle } from './lifecycle'
import { type LoggedRequest, openRequestLog } from './request-log'
import { prepareStore } from './store/prepare-store'

export type ServiceOptions = {
  /** 0 takes any free port. */
  port: number
  /** The first merchant's token. */
  token: string
  /** Where PGlite and `requests.log` live; absent means in memory. */
  folder?: string
  /** A Postgres address, in place of PGlite. */
  databaseUrl?: string
  /** How many payments a new database is filled with. */
  seedPayments: number
  /** Milliseconds from an accepted cancellation to its effect (1,500). */
  cancelDelay?: number
  clock?: Clock
  host?: string
}

export type RunningService = {
  url: string
  /** Every write since the start, oldest first, at most 10,000. */
  requests: LoggedRequest[]
  close: () => Promise<void>
}

const migrationsFolder = join(import.meta.dirname, 'store/migrations')

/**
 * Starts the direct-debit service and answers once it accepts requests. Throws FolderLockedError when
 * another process holds the folder, and the server's own error when the port is taken.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const {
    port,
    token,
    folder,
    databaseUrl,
    seedPayments,
    cancelDelay = 1_500,
    clock = makeClock(),
    host = '127.0.0.1',
  } = options
  const database = await openDatabase({ url: databaseUrl, folder, migrationsFolder })
  try {
    const { cursorSecret } = await prepareStore(database.db, { token, seedPayments, now: clock.now() })
    const log = openRequestLog(folder)
    const lifecycle = startLifecycle(async () => {
      const next = await takeDueSteps(database.db, clock.now())
      return next ? clock.realTimeUntil(next) : Number.POSITIVE_INFINITY
    })
    clock.onMove(lifecycle.wake)
    const app = createApp({ database, clock, log, settings: { cancelDelay, cursorSecret }, wake: lifecycle.wake })
    try {
      const url = await app.listen({ port, host })
      const close = async () => {
        await app.close()
        await lifecycle.stop()
        await database.close()
      }
      return { url, requests: log.requests, close }
    } catch (error) {
      await lifecycle.stop()
      throw error
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
