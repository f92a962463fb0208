import { openDatabase } from '@/lib/database/open-database'
import { storeMigrations } from './store'

/*
 * Brings the schema of the desk's Postgres at DATABASE_URL up to date, and makes it where there is none. For owners
 * who let the desk itself run under a role that may not change tables (docs/postgres-role.sql).
 */
const url = process.env.DATABASE_URL
if (url === undefined || url === '')
  throw new Error("DATABASE_URL is needed: the owner's address of the desk's Postgres")
const { close } = await openDatabase({ url, migrationsFolder: storeMigrations })
await close()
console.log('The schema is up to date.')
