import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { max } from 'drizzle-orm'
import { type Database, type OpenDatabase, openDatabase } from '@/lib/database/open-database'
import { createApp } from './app'
import { type Clock, makeClock } from './clock'
import { createControlApp } from './control/control-app'
import { injectFaults, makeFaults } from './control/faults'
import { addTriggers } from './control/triggers'
import { type LoggedRequest, openRequestLog } from './request-log'
import { startWorkers } from './start-workers'
import { prepareStore } from './store/prepare-store'
import { readSealSecret } from './store/read-seal-secret'
import { payments } from './store/schema'
import { type CallbackPolicy, type Resolve, systemResolve } from './webhooks/callback-policy'

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
const grace = 3_000

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
  const last = setTimeout(() => app.server.closeAllConnections(), grace)
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
  const sealSecret = await readSealSecret(options.folder, options.secret)
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
