import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { bundleProgram } from '../support/bundle-program.mjs'
import { type Child, startChild, startDesk, waitUntilReady } from '../support/servers'
import { prepareEnvironment, readSettings } from '../support/settings'

/** A currently free port of 127.0.0.1. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('The server has no port.'))
      else server.close(() => resolve(address.port))
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
export function unsetForeignSettings(): void {
  for (const name of foreignSettings) process.env[name] = ''
}

type Own = { name: string; file: string; port: number; more: number; children: Child[] }

/** Starts a program of the bench, which takes its port and another number. Returns its address. */
async function startOwn({ name, file, port, more, children }: Own): Promise<string> {
  const args = [await bundleProgram(file), String(port), String(more)]
  const child = startChild({ name, args, env: process.env })
  children.push(child)
  const address = `http://127.0.0.1:${port}`
  await waitUntilReady(child, `${address}/`, {})
  return address
}

export type Servers = { upstream: string; pipe: string; desk: string; who: { email: string; password: string } }

/**
 * Starts the benchmark's service, the minimal gateway and the desk in production with its store in `folder`, and pushes
 * each to `children`. Returns their addresses and the sign-in.
 */
export async function startServers({
  rows,
  folder,
  children,
}: {
  rows: number
  folder: string
  children: Child[]
}): Promise<Servers> {
  const [upstreamPort, pipePort] = [await findFreePort(), await findFreePort()]
  const who = { email: 'bench@debitdesk.example', password: randomBytes(15).toString('base64url') }
  const upstream = await startOwn({
    name: "The bench's service",
    file: 'scripts/bench/serve-upstream.ts',
    port: upstreamPort,
    more: rows,
    children,
  })
  const pipe = await startOwn({
    name: 'The bare pipe',
    file: 'scripts/bench/serve-pipe.ts',
    port: pipePort,
    more: upstreamPort,
    children,
  })
  unsetForeignSettings()
  Object.assign(process.env, {
    PORT: String(await findFreePort()),
    DATA_DIR: folder,
    UPSTREAM_URL: upstream,
    UPSTREAM_AUTH: 'none',
    DESK_ADMIN_EMAIL: who.email,
    DESK_ADMIN_PASSWORD: who.password,
  })
  const settings = readSettings()
  const { env, address } = prepareEnvironment(settings)
  await startDesk({ settings, env, children })
  return { upstream, pipe, desk: address, who }
}
