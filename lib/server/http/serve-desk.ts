import { createServer } from 'node:http'
import next from 'next'
import { version } from '../../../package.json'
import { describeError, log } from '../runtime/log'
import { getSettings, inlineSettings, SettingsError } from '../runtime/settings'
import { createDeskServer, listen } from './desk-server'
import { registerServer } from './registered-server'

/*
 * The desk's process: our HTTP server around Next's request handler, set up as a custom server. Next runs
 * instrumentation.ts, which starts the desk, before it answers a request.
 */

const isDevelopment = process.env.NODE_ENV === 'development'

function fail(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

function readSettings() {
  try {
    return getSettings()
  } catch (error) {
    if (error instanceof SettingsError) fail(error.lines)
    throw error
  }
}

const settings = readSettings()
const { HOST, PORT, TRUSTED_PROXIES, MAX_CONNECTIONS, KEEP_ALIVE, METRICS_TOKEN } = settings
// For whatever else reads the environment, such as the exporter of traces.
inlineSettings(process.env)
if (settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
  const { startTraces } = await import('../tracing/exporter')
  startTraces({ serviceName: settings.OTEL_SERVICE_NAME, ratio: settings.OTEL_TRACES_SAMPLER_ARG })
}

/** Next attaches its upgrade listener to the server passed to it: this one never listens, which keeps it off ours. */
const upgrades = createServer()
const app = next({ dev: isDevelopment, dir: process.cwd(), hostname: HOST, port: PORT, httpServer: upgrades })

const { server, retire, drain } = createDeskServer({
  handle: app.getRequestHandler(),
  trustedProxies: TRUSTED_PROXIES,
  maxConnections: MAX_CONNECTIONS,
  keepAlive: KEEP_ALIVE,
  ...(METRICS_TOKEN !== undefined && { metricsToken: METRICS_TOKEN }),
  ...(isDevelopment
    ? {
        upgrade: (request, socket, head) =>
          request.url?.startsWith('/_next/') === true && upgrades.emit('upgrade', request, socket, head),
      }
    : {}),
})

registerServer({ retire, drain })
await app.prepare()
try {
  await listen(server, PORT, HOST)
} catch (error) {
  const { code, name } = describeError(error)
  fail(`The desk cannot listen on ${HOST}:${PORT} (${code ?? name}).`)
}
log.info({
  event: 'started',
  version,
  address: `${HOST}:${PORT}`,
  store: settings.DATABASE_URL === undefined ? 'pglite' : 'postgres',
})
