import { parseArgs } from 'node:util'
import pg from 'pg'
import { openDatabase } from '@/lib/database/open-database'
import { SettingsError } from '../runtime/settings'
import { explainStoreError } from './explain-store-error'
import { grantRole } from './grant-role'
import { storeMigrations } from './store'
import { readStorePlace } from './store-place'

/**
 * Migrates the desk's Postgres at DATABASE_URL, for operators who run the desk under a role that may not change tables,
 * and grants such a role what the desk needs.
 */

const usage = `npm run migrate                      brings the schema of the Postgres at DATABASE_URL up to date, as its owner
npm run migrate -- --role ROLE       and grants an existing role what the dashboard needs from day to day`

class MigrateCommandError extends Error {}

function parseRole(): string | undefined {
  try {
    return parseArgs({ options: { role: { type: 'string' } } }).values.role
  } catch {
    throw new MigrateCommandError(usage)
  }
}

async function run(): Promise<string> {
  const role = parseRole()
  const { DATABASE_URL: url } = readStorePlace(process.env)
  if (url === undefined)
    throw new MigrateCommandError("DATABASE_URL is needed: the owner's address of the desk's Postgres.")
  const { close } = await openDatabase({ url, migrationsFolder: storeMigrations })
  await close()
  if (role === undefined) return 'The schema is up to date.'
  await grantRole(role, url).catch((error: unknown) => {
    throw error instanceof pg.DatabaseError && error.code === '42704'
      ? new MigrateCommandError(`There is no role ${role}.`)
      : error
  })
  return `The schema is up to date, and ${role} may work with it.`
}

function explain(error: unknown): string {
  if (error instanceof MigrateCommandError) return error.message
  if (error instanceof SettingsError) return error.lines
  return explainStoreError(error, { DATABASE_URL: 'given', DATA_DIR: '' })
}

try {
  process.stdout.write(`${await run()}\n`)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
