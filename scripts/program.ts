import { existsSync } from 'node:fs'
import { CommandError, readMessage, root, runTool } from './support/command.mjs'
import { prepareCommand } from './support/settings'

/**
 * Commands that run a program of lib/server: `npm run NAME -- OPTIONS`. With `failure` it gets the dashboard's secret, too;
 * that is its exit code where there is none or a setting is refused.
 */
const programs: Record<string, { file: string; failure?: number } | undefined> = {
  /** Checks a deployment against the API contract with read-only requests. */
  doctor: { file: 'lib/server/diagnostics/run-diagnostics.ts' },
  /** Manages users without the dashboard: the first accounts, and emergencies. */
  user: { file: 'lib/server/team/run-user-command.ts' },
  /** Shows, exports or erases what the store keeps about a person. */
  person: { file: 'lib/server/people/run-person-command.ts', failure: 1 },
  /** Verifies the hash chain of the activity log. */
  'verify-activity': { file: 'lib/server/activity-log/verify-activity.ts' },
  /** Re-encrypts the store after NEXTAUTH_SECRET was changed; NEXTAUTH_SECRET_PREVIOUS is the old one. */
  reseal: { file: 'lib/server/store/reencrypt.ts', failure: 2 },
  /** Migrates the schema of the Postgres at DATABASE_URL, as its owner. */
  migrate: { file: 'lib/server/store/migrate-store.ts' },
  /** Backs up the store, also while the dashboard runs. */
  backup: { file: 'lib/server/backups/run-backup.ts' },
  /** Restores a backup and verifies the activity log in it. */
  restore: { file: 'lib/server/backups/run-restore.ts' },
  /** Copies the store from its folder to the Postgres at DATABASE_URL. */
  'move-store': { file: 'lib/server/store/move-to-postgres.ts' },
}

function prepareOrEnd(failure: number): NodeJS.ProcessEnv {
  try {
    return prepareCommand()
  } catch (error) {
    console.error(readMessage(error))
    return process.exit(failure)
  }
}

const [name = '', ...options] = process.argv.slice(2)
const program = programs[name]
if (!program) throw new CommandError(`One of these is needed: ${Object.keys(programs).join(', ')}.`)
const { file, failure } = program
if (failure === undefined && existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
// Of a secret the usage needs none.
const isHelp = options.some((option) => option === '--help' || option === '-h')
const env = failure === undefined || isHelp ? process.env : prepareOrEnd(failure)
const { code } = await runTool(process.execPath, ['scripts/run-program.mjs', file, ...options], { env, live: true })
process.exit(code)
