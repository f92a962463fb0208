import { openDatabase } from '@/lib/database/open-database'
import { readCommandLine } from '../runtime/command-line'
import { SettingsError } from '../runtime/settings'
import { grantRole, requireRole } from './grant-role'
import { storeMigrations } from './store'
import { runStoreCommand, type StorePlace } from './store-command'

/**
 * Migrates the desk's Postgres at DATABASE_URL, for operators who run the desk under a role that may not change tables,
 * and grants such a role what the desk needs.
 */

const usage = `npm run migrate                      brings the schema of the Postgres at DATABASE_URL up to date, as its owner
npm run migrate -- --role ROLE       and grants an existing role what the dashboard needs from day to day`

async function migrate({ DATABASE_URL: url }: StorePlace): Promise<string[]> {
  const { role } = readCommandLine(usage, { options: { role: { type: 'string' } } }).values
  if (url === undefined)
    throw new SettingsError(["DATABASE_URL is needed: the address of the store's Postgres for its owner"])
  if (role !== undefined) await requireRole(role, url)
  const { close } = await openDatabase({ url, migrationsFolder: storeMigrations })
  await close()
  if (role === undefined) return ['The schema is up to date.']
  await grantRole(role, url)
  return [`The schema is up to date, and ${role} may work with it.`]
}

await runStoreCommand(migrate)
