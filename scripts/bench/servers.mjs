import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startChild, startDesk, waitUntilReady } from '../support/servers.mjs'
import { prepareEnvironment, readSettings } from '../support/settings.mjs'

/** A currently free port of 127.0.0.1. */
export function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

const foreignSettings = [
  'DATABASE_URL',
  'SERVICE_DATABASE_URL',
  'UPSTREAM_URL',
  'NEXTAUTH_URL',
  'NEXTAUTH_SECRET',
  'NEXTAUTH_SECRET_PREVIOUS',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
]

/** Unsets settings that point to a user's own database, service or identity provider. */
export function unsetForeignSettings() {
  for (const name of foreignSettings) process.env[name] = ''
}

async function startOwn(name, file, args, children) {
  const child = startChild({ name, args: [fileURLToPath(new URL(file, import.meta.url)), ...args], env: process.env })
  children.push(child)
  await waitUntilReady(child, `http://127.0.0.1:${args[0]}/`, {})
  return `http://127.0.0.1:${args[0]}`
}

/**
 * Starts the benchmark's service, the minimal gateway and the desk in production with its store in `folder`, and pushes
 * each to `children`. Returns their addresses and the sign-in.
 */
export async function startServers({ rows, folder, children }) {
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()].map(String)
  const who = { email: 'bench@debitdesk.example', password: randomBytes(15).toString('base64url') }
  const upstream = await startOwn("The bench's service", './serve-upstream.mjs', [ports[0], String(rows)], children)
  const pipe = await startOwn('The bare pipe', './serve-pipe.mjs', [ports[1], ports[0]], children)
  unsetForeignSettings()
  Object.assign(process.env, {
    PORT: ports[2],
    DATA_DIR: folder,
    UPSTREAM_URL: upstream,
    UPSTREAM_AUTH: 'none',
    DESK_ADMIN_EMAIL: who.email,
    DESK_ADMIN_PASSWORD: who.password,
  })
  const settings = await readSettings()
  const { env, address } = prepareEnvironment(settings)
  await startDesk({ settings, env, children })
  return { upstream, pipe, desk: address, who }
}
