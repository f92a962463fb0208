import { openDatabase } from '@/lib/database/open-database'
import { inlineSettings } from '../runtime/settings'
import { storeMigrations } from './store'

/*
 * Migrates the desk's Postgres at DATABASE_URL, for operators who run the desk under a role that may not change tables
 * (docs/postgres-role.sql).
 */
inlineSettings(process.env)
const url = process.env.DATABASE_URL
if (url === undefined || url === '')
  throw new Error("DATABASE_URL is needed: the owner's address of the desk's Postgres")
const { close } = await openDatabase({ url, migrationsFolder: storeMigrations })
await close()
console.log('The schema is up to date.')
