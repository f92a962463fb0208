import { LogFile } from './log-file.mjs'
import { startChild } from './start-child.mjs'
import { waitUntilReady } from './wait-until-ready.mjs'

/** The desk's own secrets, which the embedded service has no use for. */
const notForService = [
  'NEXTAUTH_SECRET',
  'NEXTAUTH_SECRET_PREVIOUS',
  'ACTIVITY_KEY',
  'DEMO_SIGN_INS',
  'DESK_ADMIN_PASSWORD',
  'DATABASE_URL',
  'UPSTREAM_TOKEN',
  'UPSTREAM_CLIENT_SECRET',
]

function serviceEnvironment(env) {
  const kept = Object.entries(env).filter(([name]) => !notForService.includes(name))
  return { ...Object.fromEntries(kept), NODE_ENV: 'production' }
}

/** Starts the embedded direct-debit service and waits until it answers. Answers the child. */
export async function startService({ settings, env, token, live = false, children }) {
  const log = new LogFile(settings.DATA_DIR, 'service')
  const child = startChild({
    name: 'The embedded service',
    args: ['scripts/run/run-program.mjs', 'service/serve.ts'],
    env: serviceEnvironment({ ...env, SERVICE_TOKEN: token }),
    log,
    live,
  })
  children.push(child)
  const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }
  await waitUntilReady(child, `http://127.0.0.1:${settings.SERVICE_PORT}/`, { headers, log })
  return child
}
