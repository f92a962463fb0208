import { join, resolve } from 'node:path'
import { closeDataFolder, keepFilesPrivate } from '@/lib/database/data-folder'
import { DatabaseError } from '@/lib/database/errors'
import { FolderLockedError } from '@/lib/database/folder-lock'
import { makeClock } from './simulation/clock'
import { parseServiceSettings, ServiceSettingsError } from './settings'
import { type RunningService, startService } from './start-service'

/*
 * The service as a process. Settings come from the environment; it prints one line to standard output when it accepts
 * requests. SIGINT and SIGTERM stop it after the pending requests, or abort its start.
 */

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

function explain(error: unknown, port: number): string {
  const expectedErrors = [ServiceSettingsError, FolderLockedError, DatabaseError]
  if (error instanceof Error && expectedErrors.some((kind) => error instanceof kind)) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `SERVICE_PORT ${port} is in use by another process.`
  return `The service could not start: ${error instanceof Error ? error.message : String(error)}`
}

async function serve(): Promise<RunningService> {
  let port = 0
  try {
    const settings = parseServiceSettings(process.env)
    port = settings.SERVICE_PORT
    keepFilesPrivate()
    closeDataFolder(resolve(settings.DATA_DIR))
    return await startService({
      port,
      host: settings.SERVICE_HOST,
      token: settings.SERVICE_TOKEN,
      secret: settings.SERVICE_SECRET,
      folder: join(resolve(settings.DATA_DIR), 'service'),
      databaseUrl: settings.SERVICE_DATABASE_URL,
      seedPayments: settings.SEED_PAYMENTS,
      cancelDelay: settings.SERVICE_CANCEL_DELAY,
      clock: makeClock({ speed: settings.SERVICE_CLOCK }),
      allowedCallbacks: [...settings.SERVICE_CALLBACKS, `127.0.0.1:${settings.PORT}`, `localhost:${settings.PORT}`],
      controlPort: settings.SERVICE_CONTROL_PORT,
      requestsPerMinute: settings.SERVICE_REQUESTS_PER_MINUTE,
      wrongCredentialsPerMinute: settings.SERVICE_WRONG_CREDENTIALS_PER_MINUTE,
      signal: stopping.signal,
    })
  } catch (error) {
    if (stopping.signal.aborted) process.exit(0)
    return fail(explain(error, port))
  }
}

const service = await serve()

function stop(): void {
  service.close().then(
    () => process.exit(0),
    (error: unknown) => fail(`The service did not close cleanly: ${String(error)}`),
  )
}

stopping.signal.addEventListener('abort', stop, { once: true })
if (stopping.signal.aborted) stop()
else {
  if (service.controlUrl) console.log(`service control on ${service.controlUrl}`)
  console.log(`service ready on ${service.url}`)
}
