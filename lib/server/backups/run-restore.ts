import { join, resolve } from 'node:path'
import { closeDataFolder } from '@/lib/database/data-folder'
import { readTrustedHeads } from '../activity-log/signed-head'
import { CommandLineError, readCommandLine } from '../runtime/command-line'
import { parseSettings } from '../runtime/settings'
import { storeMigrations } from '../store/store'
import { catchInterruptions, explainBackupError } from './backup-command'
import type { HaltedBulk, HeldImport } from './hold-open-work'
import { readManifest } from './manifest'
import { restoreBackup, type Restored } from './restore-backup'

/** Restores a backup to DATABASE_URL, else to DATA_DIR, and verifies the activity log in it. The dashboard must be stopped. */

const usage = `npm run restore -- BACKUP [--replace]
Restores a backup, a folder that npm run backup made, to the empty store of the settings. With --replace a store that is there is
set aside, and kept.`

function parseRequest() {
  const { values, positionals } = readCommandLine(usage, {
    options: { replace: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [backup] = positionals
  if (backup === undefined || positionals.length !== 1) throw new CommandLineError('One backup is needed.', usage)
  return { ...values, backup: resolve(backup) }
}

function describeHalted({ id, userEmail, count, state }: HaltedBulk): string {
  const since =
    state === 'running'
      ? 'it is paused until somebody resumes it'
      : 'it is stopped; nothing of it had been sent, but may have been since'
  return `Bulk cancellation ${id} of ${userEmail} (${count} payments) was ${state}: ${since}.`
}

function describeImport({ fileName, startedBy, lines }: HeldImport): string {
  const open = lines === 1 ? '1 line' : `${lines} lines`
  return `The import of ${fileName} by ${startedBy} is on hold until somebody continues it: ${open} may have been sent since, and are looked for first.`
}

function describeOpen(count: number): string {
  const were = count === 1 ? 'cancellation was' : 'cancellations were'
  return `${count} ${were} open: only read at the provider from now on, and never sent again.`
}

function describe({ count, head, held, setAside, later }: Restored, at: string, hasHeads: boolean): string[] {
  return [
    `Restored as of ${at}. The activity log verifies: ${count} rows, head ${count}:${head}. Everybody signs in again.`,
    ...(held.cancellations === 0 ? [] : [describeOpen(held.cancellations)]),
    ...held.bulks.map(describeHalted),
    ...held.imports.map(describeImport),
    ...(setAside === null ? [] : [`The store before is kept in ${setAside}.`]),
    ...(later === null
      ? []
      : [
          `A signed head of row ${later.sequence} at ${later.at} is beyond this backup: what came after it is lost. Move activity-heads.jsonl in DATA_DIR away and keep it; the dashboard begins a new one.`,
        ]),
    ...(hasHeads
      ? []
      : [
          'DATA_DIR has no signed heads to compare with. A dashboard whose own are beyond this backup reports a broken activity log: move its activity-heads.jsonl away and keep it before it starts.',
        ]),
  ]
}

async function run(): Promise<string[]> {
  const request = parseRequest()
  const settings = parseSettings(process.env)
  const { DATABASE_URL, DATA_DIR } = settings
  closeDataFolder(DATA_DIR)
  const manifest = await readManifest(request.backup)
  const { heads } = await readTrustedHeads(settings, {})
  const interruption = catchInterruptions('Interrupted: nothing was changed.')
  const to = DATABASE_URL ? { url: DATABASE_URL } : { folder: join(DATA_DIR, 'desk') }
  return describe(
    await restoreBackup({ ...request, manifest, to, migrationsFolder: storeMigrations, heads, interruption }),
    manifest.at,
    heads.length > 0,
  )
}

try {
  for (const line of await run()) process.stdout.write(`${line}\n`)
} catch (error) {
  process.stderr.write(`${explainBackupError(error, 'The backup could not be restored')}\n`)
  process.exitCode = 1
}
