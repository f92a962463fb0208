import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { build } from 'esbuild'
import { nextFiles } from './support/bundle-program.mjs'
import { root } from './support/command.mjs'
import { distDir, ensureBuilt } from './support/ensure-built'

/** What an image runs, by its name there. */
const programs = {
  desk: 'lib/server/http/serve-desk.ts',
  backup: 'lib/server/backups/run-backup.ts',
  restore: 'lib/server/backups/run-restore.ts',
  migrate: 'lib/server/store/migrate-store.ts',
  doctor: 'lib/server/diagnostics/run-diagnostics.ts',
  user: 'lib/server/team/run-user-command.ts',
  person: 'lib/server/people/run-person-command.ts',
  reseal: 'lib/server/store/reencrypt.ts',
  'move-store': 'lib/server/store/move-to-postgres.ts',
  'verify-activity': 'lib/server/activity-log/verify-activity.ts',
  service: 'service/serve.ts',
  health: 'lib/server/http/check-health.ts',
}

/** Packages with files of their own beside their code; all others are bundled. Next traces them into its standalone folder. */
const traced = [
  'next',
  '@electric-sql/pglite',
  '@node-rs/argon2',
  'pino',
  'nodemailer',
  'pg',
  'undici',
  'prom-client',
  '@opentelemetry/api',
]

/**
 * What Next traces without need: caches, because modules read files below the working folder, and the optimisation of
 * images, which is off, and tests of packages. Its server, sources and files of settings are not copied in the first place.
 */
const unused = /^\/node_modules\/(?:\.cache|sharp|@img|(?:@[^/]+\/)?[^/]+\/test)(?:\/|$)/u

/** What Next resolves to read next.config.mjs, which its own server would not do. */
const forSettings = ['constants.js', 'dist/compiled/webpack', 'dist/compiled/@babel/runtime/package.json']

const folder = `${root}/image`

/** Bundles of CommonJS packages require Node's own modules. */
const banner = `import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);`

function measure(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.reduce((sum, entry) => sum + statSync(`${entry.parentPath}/${entry.name}`).size, 0)
}

const inMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

// Puts together in `image` all that runs in production, without packages and tools of the build: what Next traces
// (`output: 'standalone'`), without its server, and our programs. The Dockerfile copies that folder.
await ensureBuilt({ checkTypes: true, standalone: true })
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const standalone = `${distDir()}/standalone`
const copy = (from: string, to: string) => cpSync(from, `${folder}/${to}`, { recursive: true, verbatimSymlinks: true })
for (const part of ['.next', 'node_modules', 'package.json'])
  cpSync(`${standalone}/${part}`, `${folder}/${part}`, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !unused.test(path.slice(standalone.length)),
  })
for (const path of forSettings) copy(`${root}/node_modules/next/${path}`, `node_modules/next/${path}`)
copy(`${distDir()}/static`, '.next/static')
copy(`${root}/public`, 'public')
copy(`${root}/next.config.mjs`, 'next.config.mjs')
for (const path of ['lib/server/store/migrations', 'service/store/migrations', 'lib/server/store/postgres-role.sql'])
  copy(`${root}/${path}`, path)
await build({
  absWorkingDir: root,
  entryPoints: programs,
  outdir: `${folder}/programs`,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: traced.flatMap((name) => [name, `${name}/*`]),
  plugins: [nextFiles],
  banner: { js: banner },
  logLevel: 'warning',
})
for (const part of ['node_modules', '.next', 'programs', 'public'])
  if (existsSync(`${folder}/${part}`))
    console.log(`${part.padEnd(14)}${inMegabytes(measure(`${folder}/${part}`)).padStart(10)}`)
console.log(`${'image'.padEnd(14)}${inMegabytes(measure(folder)).padStart(10)}`)
