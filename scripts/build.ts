import { bundleProgram } from './support/bundle-program.mjs'
import { ensureBuilt } from './support/ensure-built'

const programs = [
  'lib/server/activity-log/verify-activity.ts',
  'lib/server/backups/run-backup.ts',
  'lib/server/backups/run-restore.ts',
  'lib/server/diagnostics/run-diagnostics.ts',
  'lib/server/http/serve-desk.ts',
  'lib/server/people/run-person-command.ts',
  'lib/server/store/migrate-store.ts',
  'lib/server/store/move-to-postgres.ts',
  'lib/server/store/reencrypt.ts',
  'lib/server/team/run-user-command.ts',
  'scripts/program.ts',
  'scripts/service.ts',
  'scripts/start.ts',
  'service/serve.ts',
]

// `npm run build`: what `npm start` would build, with its types checked.
await ensureBuilt({ checkTypes: true })
// The user who starts them later may have no write access here.
for (const program of programs) await bundleProgram(program)
