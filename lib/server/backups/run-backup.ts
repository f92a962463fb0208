import { join, resolve } from 'node:path'
import { closeDataFolder } from '@/lib/database/data-folder'
import { CommandLineError, readCommandLine } from '../runtime/command-line'
import { parseSettings } from '../runtime/settings'
import { catchInterruptions, explainBackupError } from './backup-command'
import { makeBackup } from './make-backup'

/** Backs up the store: at DATABASE_URL with pg_dump, else in DATA_DIR, whether the dashboard runs or not. */

const usage = `npm run backup -- FOLDER
Makes a backup of the store in a new folder below FOLDER. NEXTAUTH_SECRET and the key of the activity log aren't part of it.`

function parseTarget(): string {
  const { positionals } = readCommandLine(usage, { options: {}, allowPositionals: true })
  const [target] = positionals
  if (target === undefined || positionals.length !== 1) throw new CommandLineError('One folder is needed.', usage)
  return resolve(target)
}

async function run(): Promise<string> {
  const target = parseTarget()
  const { DATABASE_URL, DATA_DIR } = parseSettings(process.env)
  if (!DATABASE_URL) closeDataFolder(DATA_DIR)
  const store = DATABASE_URL ? { url: DATABASE_URL } : { folder: join(DATA_DIR, 'desk') }
  const interruption = catchInterruptions('Interrupted: no backup was made.')
  const { path, manifest } = await makeBackup(store, target, new Date(), interruption)
  const { sequence, hash } = manifest.activity
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  return `${path}\n${(bytes / 1_000_000).toFixed(1)} MB. Head of the activity log: ${sequence}:${hash}`
}

try {
  process.stdout.write(`${await run()}\n`)
} catch (error) {
  process.stderr.write(`${explainBackupError(error, 'The backup could not be made')}\n`)
  process.exitCode = 1
}
