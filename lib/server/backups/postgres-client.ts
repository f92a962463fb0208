import { spawn } from 'node:child_process'
import pg from 'pg'
import { BackupError } from './manifest'

/** The schemas of a store: tables, and what is known of migrations. */
export const STORE_SCHEMAS = ['public', 'drizzle'] as const

/** Keeps both programs from whatever else is in the database, such as stores that restores have set aside. */
export const onlyStore = STORE_SCHEMAS.map((name) => `--schema=${name}`)

/** Options of TLS that libpq knows by the same names as DATABASE_URL does. */
const tlsOptions = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const

/** The address as libpq's variables: what stands on a command line is seen by every user of the machine. */
export function toClientEnvironment(url: string): Record<string, string> {
  const { host, port, user, database, password } = new pg.Client({ connectionString: url })
  const query = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams()
  const tls = tlsOptions.flatMap((name) => {
    const value = query.get(name)
    if (value === null) return []
    // node-postgres's word for TLS without a look at the certificate.
    return [[`PG${name.toUpperCase()}`, value === 'no-verify' ? 'require' : value]]
  })
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
    ...Object.fromEntries(tls),
  }
}

function explainMissing(name: string): string {
  return `${name} is not here: install the client of Postgres, of the server's version or newer (Debian: postgresql-client).`
}

/** The line of its output that says why it failed. */
function pickReason(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return lines.find((line) => /\b(?:error|FATAL|ERROR):/u.test(line)) ?? lines.at(-1) ?? 'no reason given'
}

/** Runs a program of Postgres's client on the database at `url`. Throws BackupError with one line when it fails. */
export async function runClient(name: 'pg_dump' | 'pg_restore', url: string, args: readonly string[]): Promise<void> {
  const env = { ...toClientEnvironment(url), NODE_ENV: 'production' as const }
  const child = spawn(name, [...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-20_000)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () => reject(new BackupError(explainMissing(name))))
    child.once('close', resolve)
  })
  if (code !== 0) throw new BackupError(`${name} failed: ${pickReason(output)}`)
}
