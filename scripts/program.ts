import { existsSync } from 'node:fs'
import { CommandError, root, runTool } from './support/command.mjs'
import { prepareCommand } from './support/settings'

/** Commands that run a program of lib/server: `npm run NAME -- OPTIONS`. With `prepared` it gets the dashboard's secret, too. */
const programs: Record<string, { file: string; prepared?: boolean } | undefined> = {
  /** Checks a deployment against the API contract with read-only requests. */
  doctor: { file: 'lib/server/diagnostics/run-diagnostics.ts' },
  /** Manages users without the dashboard: the first accounts, and emergencies. */
  user: { file: 'lib/server/team/run-user-command.ts' },
  /** Shows, exports or erases what the store keeps about a person. */
  person: { file: 'lib/server/people/run-person-command.ts', prepared: true },
  /** Verifies the hash chain of the activity log. */
  'verify-activity': { file: 'lib/server/activity-log/verify-activity.ts' },
  /** Re-encrypts the store after NEXTAUTH_SECRET was changed; NEXTAUTH_SECRET_PREVIOUS is the old one. */
  reseal: { file: 'lib/server/store/reencrypt.ts', prepared: true },
  /** Migrates the schema of the Postgres at DATABASE_URL, as its owner. */
  migrate: { file: 'lib/server/store/migrate-store.ts' },
  /** Backs up the store, also while the dashboard runs. */
  backup: { file: 'lib/server/backups/run-backup.ts' },
  /** Restores a backup and verifies the activity log in it. */
  restore: { file: 'lib/server/backups/run-restore.ts' },
  /** Copies the store from its folder to the Postgres at DATABASE_URL. */
  'move-store': { file: 'lib/server/store/move-to-postgres.ts' },
}

const [name = '', ...options] = process.argv.slice(2)
const program = programs[name]
if (!program) throw new CommandError(`One of these is needed: ${Object.keys(programs).join(', ')}.`)
const { file, prepared } = program
if (!prepared && existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
const env = prepared ? prepareCommand() : process.env
const { code } = await runTool(process.execPath, ['scripts/run-program.mjs', file, ...options], { env, live: true })
process.exit(code)
