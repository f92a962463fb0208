import { join } from 'node:path'
import { and, asc, eq, max, ne, sql } from 'drizzle-orm'
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
import { credentials, merchants, payments } from './store/schema'
import { loadEncryptionSecret, loadOrCreateSecret } from './store/secrets'
import { type CallbackPolicy, type Resolve, systemResolve } from './webhooks/callback-policy'
import { startWorkers } from './workers'

/** The first merchant's `isv` credential is the token of the settings; one that was there before stops working. */
async function keepCredential(db: Database, merchantId: string, token: string, now: Date): Promise<void> {
  const tokenHash = hashToken(token)
  await db.insert(credentials).values({ tokenHash, merchantId, isv: true, createdAt: now }).onConflictDoNothing()
  await db
    .delete(credentials)
    .where(and(eq(credentials.merchantId, merchantId), eq(credentials.isv, true), ne(credentials.tokenHash, tokenHash)))
}

/**
 * Makes a migrated database ready: fills it on first start (all or nothing), keeps the demonstration
 * merchant's token, and answers the secrets behind continuations and webhook signatures. Safe to run again and from two processes.
 */
export async function prepareStore(
  db: Database,
  {
    token,
    sealSecret,
    seedPayments,
    now,
    signal,
  }: { token: string; sealSecret: string; seedPayments: number; now: Date; signal?: AbortSignal },
): Promise<{ cursorSecret: string; webhookSecret: string }> {
  const filled = await db.transaction(async (tx) => {
    // Another process may be filling it, which takes longer than any lock is waited for otherwise.
    await tx.execute(sql`set local lock_timeout = 0`)
    await tx.execute(sql`lock table ${merchants} in share row exclusive mode`)
    const [first] = await tx.select({ id: merchants.id }).from(merchants).orderBy(asc(merchants.createdAt)).limit(1)
    const merchantId = first?.id ?? (await seedDatabase(tx, seedPayments, now, signal))
    await keepCredential(tx, merchantId, token, now)
    return first === undefined
  })
  if (filled) await db.execute(sql`vacuum analyze`)
  return {
    cursorSecret: await loadOrCreateSecret(db, 'cursor', sealSecret),
    webhookSecret: await loadOrCreateSecret(db, 'webhook', sealSecret),
  }
}

export type ServiceOptions = {
  /** 0 takes any free port. */
  port: number
  /** The first merchant's token. */
  token: string
  /** Under which the database's secrets are sealed; absent means a key in `folder`, or one for this process. */
  secret?: string
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
  /** `host:port` pairs to which callbacks may go although they are private or plain HTTP. */
  allowedCallbacks?: readonly string[]
  /** Resolves the names of callbacks; the system's resolver unless a test says otherwise. */
  resolve?: Resolve
  /** Opens the control port (0: any free one); absent means there is none. */
  controlPort?: number
  /** Requests per minute and credential (6,000). */
  requestsPerMinute?: number
  /** Missing and wrong credentials per minute and address (100). */
  wrongCredentialsPerMinute?: number
  /** Gives the start up: a first filling is undone, and the next start fills again. */
  signal?: AbortSignal
}

export type RunningService = {
  url: string
  /** The control port's address, when it was asked for. */
  controlUrl: string | null
  /** Every write since the start, oldest first, at most 10,000. */
  requests: LoggedRequest[]
  close: () => Promise<void>
}

const migrationsFolder = join(process.cwd(), 'service/store/migrations')

/** How long requests under way may take when the service ends, in milliseconds. */
const CLOSE_TIMEOUT_MS = 3_000

/** Moves a clock on to the latest moment in the database: time that was moved by hand is not lived through twice. */
async function resumeClock(db: Database, clock: Clock): Promise<void> {
  const [latest] = await db.select({ at: max(payments.modifiedAt) }).from(payments)
  if (latest?.at) clock.advance(latest.at.getTime() - clock.now().getTime())
}

/**
 * Closes a server after the requests under way, for which it waits a few seconds. A connection that is
 * busy at first is closed as soon as it is idle.
 */
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

/** Listens with every app; when one cannot, closes all of them. */
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

async function startOn(database: OpenDatabase, options: ServiceOptions): Promise<RunningService> {
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
  const sealSecret = await loadEncryptionSecret(options.folder, options.secret)
  const secrets = await prepareStore(database.db, { token, sealSecret, seedPayments, now: clock.now(), signal })
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
    // It asks for no credential: never anywhere but on loopback, wherever the service itself listens.
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
 * Starts the direct-debit service and answers once it accepts requests. Throws FolderLockedError when
 * another process holds the folder, and the server's own error when the port is taken.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const database = await openDatabase({ url: options.databaseUrl, folder: options.folder, migrationsFolder })
  try {
    return await startOn(database, options)
  } catch (error) {
    await database.close()
    throw error
  }
}
