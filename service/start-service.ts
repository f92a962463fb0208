import { join } from 'node:path'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { openDatabase } from '@/lib/database/open-database'
import type { Database, OpenDatabase } from '@/lib/database/database'
import { createApp } from './app'
import { createControlApp } from './control/control-app'
import { injectFaults, makeFaults } from './control/faults'
import { addTriggers } from './control/payment-triggers'
import { hashToken } from './http/credentials'
import { type LoggedRequest, openRequestLog } from './logging'
import { seedDatabase } from './seed/seed-database'
import { type Clock, makeClock } from './simulation/clock'
import { readLatestReading } from './store/clock-reading'
import { credentials, merchants } from './store/schema'
import { loadEncryptionSecret, loadOrCreateSecret } from './store/secrets'
import { type CallbackPolicy, type Resolve, systemResolve } from './webhooks/callback-policy'
import { startWorkers } from './workers'

/** Makes the token of the settings the first merchant's `isv` credential, in place of an earlier one. */
async function replaceIsvCredential(db: Database, merchantId: string, token: string, now: Date): Promise<void> {
  const tokenHash = hashToken(token)
  await db.insert(credentials).values({ tokenHash, merchantId, isv: true, createdAt: now }).onConflictDoNothing()
  await db
    .delete(credentials)
    .where(and(eq(credentials.merchantId, merchantId), eq(credentials.isv, true), ne(credentials.tokenHash, tokenHash)))
}

/**
 * Prepares a migrated database: seeds it on first start (all or nothing), sets the demonstration merchant's token, and
 * returns the secrets for cursors and webhook signatures. Safe to repeat and to run from two processes.
 */
export async function prepareStore(
  db: Database,
  {
    token,
    encryptionSecret,
    seedPayments,
    now,
    signal,
  }: { token: string; encryptionSecret: string; seedPayments: number; now: Date; signal?: AbortSignal },
): Promise<{ cursorSecret: string; webhookSecret: string }> {
  const isNew = await db.transaction(async (tx) => {
    // Another process may be seeding, which takes longer than the usual lock timeout.
    await tx.execute(sql`set local lock_timeout = 0`)
    await tx.execute(sql`lock table ${merchants} in share row exclusive mode`)
    const [first] = await tx.select({ id: merchants.id }).from(merchants).orderBy(asc(merchants.createdAt)).limit(1)
    const merchantId = first?.id ?? (await seedDatabase(tx, seedPayments, now, signal))
    await replaceIsvCredential(tx, merchantId, token, now)
    return first === undefined
  })
  if (isNew) await db.execute(sql`vacuum analyze`)
  return {
    cursorSecret: await loadOrCreateSecret(db, 'cursor', encryptionSecret),
    webhookSecret: await loadOrCreateSecret(db, 'webhook', encryptionSecret),
  }
}

export type ServiceOptions = {
  /** 0: any free port. */
  port: number
  /** The first merchant's token. */
  token: string
  /** Encrypts the secrets in the database. Absent: a key in `folder`, or one for this process. */
  secret?: string
  /** Folder of PGlite and `requests.log`. Absent: in memory. */
  folder?: string
  /** A Postgres URL, instead of PGlite. */
  databaseUrl?: string
  /** Number of payments in a new database. */
  seedPayments: number
  /** Milliseconds from an accepted cancellation to its effect; default 1,500. */
  cancelDelay?: number
  clock?: Clock
  host?: string
  /** `host:port` pairs that may receive callbacks although they are private or plain HTTP. */
  allowedCallbacks?: readonly string[]
  /** Resolves host names of callbacks; default: the system's resolver. */
  resolve?: Resolve
  /** The control port (0: any free one). Absent: none. */
  controlPort?: number
  /** Requests per minute and credential; default 6,000. */
  requestsPerMinute?: number
  /** Missing and wrong credentials per minute and address; default 100. */
  wrongCredentialsPerMinute?: number
  /** Aborts the start: an unfinished seeding is rolled back and repeated at the next start. */
  signal?: AbortSignal
}

export type RunningService = {
  url: string
  /** The control port's URL, if there is one. */
  controlUrl: string | null
  /** The writes since the start, oldest first, at most 10,000. */
  requests: LoggedRequest[]
  close: () => Promise<void>
}

const migrationsFolder = join(process.cwd(), 'service/store/migrations')

/** How long pending requests may take when the service stops. */
const CLOSE_TIMEOUT_MS = 3_000

/** Advances a clock to its latest reading before a restart: what was to happen at a moment would wait for it again. */
async function resumeClock(db: Database, clock: Clock): Promise<void> {
  const latest = await readLatestReading(db)
  if (latest) clock.advance(latest.getTime() - clock.now().getTime())
}

/** Closes a server once its pending requests have ended, after a few seconds at most. Connections close when idle. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  const last = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(last)
  }
}

/** Starts listening with every app; if one fails, closes all of them. */
async function listen(apps: readonly { app: FastifyInstance; port: number; host: string }[]): Promise<string[]> {
  try {
    const urls: string[] = []
    for (const { app, port, host } of apps) urls.push(await app.listen({ port, host }))
    return urls
  } catch (error) {
    await Promise.all(apps.map(({ app }) => closeApp(app)))
    throw error
  }
}

async function startWithDatabase(database: OpenDatabase, options: ServiceOptions): Promise<RunningService> {
  const {
    token,
    seedPayments,
    cancelDelay = 1_500,
    clock = makeClock(),
    resolve = systemResolve,
    requestsPerMinute = 6_000,
    wrongCredentialsPerMinute = 100,
    signal,
  } = options
  await resumeClock(database.db, clock)
  const encryptionSecret = await loadEncryptionSecret(options.folder, options.secret)
  const secrets = await prepareStore(database.db, { token, encryptionSecret, seedPayments, now: clock.now(), signal })
  signal?.throwIfAborted()
  const log = openRequestLog(options.folder)
  const callbacks: CallbackPolicy = { allowed: new Set(options.allowedCallbacks), resolve }
  const workers = startWorkers(database.db, clock, { policy: callbacks, secret: secrets.webhookSecret })
  const context = {
    database,
    clock,
    log,
    settings: { cancelDelay, callbacks, ...secrets },
    wake: workers.wake,
    endDeliveries: workers.endDeliveries,
    requestsPerMinute,
    wrongCredentialsPerMinute,
  }
  const app = await createApp(context)
  const apps = [{ app, port: options.port, host: options.host ?? '127.0.0.1' }]
  if (options.controlPort !== undefined) {
    const faults = makeFaults()
    injectFaults(app, faults)
    const control = createControlApp(context, faults)
    addTriggers(app, control, context)
    // It needs no credential, so it listens on loopback only, whatever the service's own host.
    apps.push({ app: control, port: options.controlPort, host: '127.0.0.1' })
  }
  try {
    const [url = '', controlUrl = null] = await listen(apps)
    const close = async () => {
      database.announceClose()
      await Promise.all(apps.map((one) => closeApp(one.app)))
      await workers.stop()
      await database.close()
    }
    return { url, controlUrl, requests: log.requests, close }
  } catch (error) {
    await workers.stop()
    throw error
  }
}

/**
 * Starts the direct-debit service; resolves once it accepts requests. Throws FolderLockedError when another process
 * uses the folder, and the server's own error when the port is taken.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const database = await openDatabase({ url: options.databaseUrl, folder: options.folder, migrationsFolder })
  try {
    return await startWithDatabase(database, options)
  } catch (error) {
    await database.close()
    throw error
  }
}
