import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import pg from 'pg'
import { BackupError } from './manifest'

/** The schemas of a store: tables, and what is known of migrations. */
export const STORE_SCHEMAS = ['public', 'drizzle'] as const

/** Keeps both programs from whatever else is in the database, such as stores that restores have set aside. */
export const onlyStore = STORE_SCHEMAS.map((name) => `--schema=${name}`)

/** The first of libpq that takes the system's certificates with `system`. */
const KNOWS_SYSTEM = 16

/** The TLS of node-postgres in libpq's variables: both know the same words, and mean other things by them. */
function toClientTls(ssl: unknown, query: URLSearchParams, version: number): Record<string, string> {
  if (!ssl) return { PGSSLMODE: 'disable' }
  const { rejectUnauthorized }: Record<string, unknown> = Object(ssl)
  const [cert, key] = [query.get('sslcert'), query.get('sslkey')]
  const own = { ...(cert !== null && { PGSSLCERT: cert }), ...(key !== null && { PGSSLKEY: key }) }
  if (rejectUnauthorized === false) return { ...own, PGSSLMODE: 'require' }
  // Without any, libpq takes root.crt in ~/.postgresql, and refuses where there is none.
  const authority =
    query.get('sslrootcert') || process.env.NODE_EXTRA_CA_CERTS || (version >= KNOWS_SYSTEM ? 'system' : null)
  // As libpq means them, both words verify the authority alone; node-postgres takes them so where it is told to.
  const isByAuthority =
    query.get('uselibpqcompat') === 'true' && ['verify-ca', 'require'].includes(query.get('sslmode') ?? '')
  return {
    ...own,
    PGSSLMODE: isByAuthority ? 'verify-ca' : 'verify-full',
    ...(authority !== null && { PGSSLROOTCERT: authority }),
  }
}

/**
 * The address as libpq's variables: what stands on a command line is seen by every user of the machine. `version` is the
 * client's major one.
 */
export function toClientEnvironment(url: string, version: number): Record<string, string> {
  const { host, port, user, database, password, ssl } = new pg.Client({ connectionString: url })
  const query = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams()
  return {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: process.env.HOME ?? '',
    LC_ALL: 'C.UTF-8',
    PGHOST: host,
    PGPORT: String(port),
    ...(user !== undefined && { PGUSER: user }),
    ...(database !== undefined && { PGDATABASE: database }),
    ...(typeof password === 'string' && { PGPASSWORD: password }),
    PGAPPNAME: 'debitdesk',
    ...toClientTls(ssl, query, version),
  }
}

function explainMissing(name: string): string {
  return `${name} is not here: install the client of Postgres, of the server's version or newer (Debian: postgresql-client).`
}

/** The major version of a program of the client, NaN if it doesn't say. Throws BackupError when it isn't there. */
async function readVersion(name: string): Promise<number> {
  const { stdout } = await promisify(execFile)(name, ['--version']).catch((error: unknown) => {
    if (Object(error).code === 'ENOENT') throw new BackupError(explainMissing(name))
    return { stdout: '' }
  })
  return Number(/\d+/u.exec(stdout)?.[0])
}

/** The line of its output that says why it failed. */
function pickReason(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return lines.find((line) => /\b(?:error|FATAL|ERROR):/u.test(line)) ?? lines.at(-1) ?? 'no reason given'
}

/**
 * Runs a program of Postgres's client on the database at `url`. Throws BackupError with one line when it fails, and the
 * signal's reason once the program has ended because of it.
 */
export async function runClient(
  name: 'pg_dump' | 'pg_restore',
  { url, interruption }: { url: string; interruption: AbortSignal | undefined },
  args: readonly string[],
): Promise<void> {
  const env = { ...toClientEnvironment(url, await readVersion(name)), NODE_ENV: 'production' as const }
  interruption?.throwIfAborted()
  const child = spawn(name, [...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const stop = () => child.kill()
  interruption?.addEventListener('abort', stop)
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-20_000)
  })
  const [code] = await once(child, 'close')
  interruption?.removeEventListener('abort', stop)
  interruption?.throwIfAborted()
  if (code !== 0) throw new BackupError(`${name} failed: ${pickReason(output)}`)
}
