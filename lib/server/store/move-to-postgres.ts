import { join } from 'node:path'
import { closeDataFolder } from '@/lib/database/data-folder'
import { openDatabase } from '@/lib/database/open-database'
import { longWork } from '@/lib/database/open-postgres'
import { inlineSettings } from '../runtime/settings'
import { moveStore } from './move-store'
import { storeMigrations } from './store'

/*
 * Copies the desk's store from the folder DATA_DIR/desk to the empty Postgres at DATABASE_URL. The folder is locked
 * meanwhile, so the desk must be stopped; it is not changed.
 */
inlineSettings(process.env)
const { DATABASE_URL: url, DATA_DIR = '.data' } = process.env
if (url === undefined || url === '') throw new Error('DATABASE_URL is needed: an empty Postgres database')
closeDataFolder(DATA_DIR)
const from = await openDatabase({ folder: join(DATA_DIR, 'desk'), migrationsFolder: storeMigrations })
const to = await openDatabase({ url, migrationsFolder: storeMigrations, timeouts: longWork })
for (const [table, sum] of await moveStore(from.db, to.db)) console.log(`${table}: ${sum}`)
await Promise.all([from.close(), to.close()])
console.log('Everything was moved. Start the desk with this DATABASE_URL from now on.')
