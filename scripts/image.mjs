import './check-node.mjs'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { build } from 'esbuild'
import { nextFiles } from './support/bundle-program.mjs'
import { runCommand, root } from './support/command.mjs'
import { distDir, ensureBuilt, ensureInstalled } from './support/ensure-ready.mjs'

/** What an image runs, by its name there. */
const programs = {
  desk: 'lib/server/http/serve-desk.ts',
  migrate: 'lib/server/store/migrate-store.ts',
  doctor: 'lib/server/diagnostics/run-diagnostics.ts',
  user: 'lib/server/team/run-user-command.ts',
  reseal: 'lib/server/store/reencrypt.ts',
  'verify-activity': 'lib/server/activity-log/verify-activity.ts',
  service: 'service/serve.ts',
  health: 'lib/server/http/check-health.ts',
}

/** Packages with files of their own beside their code; all others are bundled. Next traces them into its standalone folder. */
const traced = ['next', '@electric-sql/pglite', '@node-rs/argon2', 'pino', 'nodemailer', 'pg', 'undici']

const folder = `${root}/image`

/** Bundles of CommonJS packages require Node's own modules. */
const banner = `import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);`

function measure(path) {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.reduce((sum, entry) => sum + statSync(`${entry.parentPath}/${entry.name}`).size, 0)
}

const inMegabytes = (bytes) => `${(bytes / 1_000_000).toFixed(1)} MB`

// Puts together in `image` all that runs in production, without packages and tools of the build: what Next traces
// (`output: 'standalone'`), without its server, and our programs. The Dockerfile copies that folder.
await runCommand(async () => {
  await ensureInstalled()
  await ensureBuilt({ checkTypes: true })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const copy = (from, to) => cpSync(from, `${folder}/${to}`, { recursive: true, verbatimSymlinks: true })
  // Ours guards the requests; and a file of settings on the builder's machine is none of the image's.
  const isLeftOut = (path) => /\/standalone\/(?:server\.js|\.env[^/]*)$/u.test(path)
  cpSync(`${distDir()}/standalone`, folder, { recursive: true, filter: (path) => !isLeftOut(path) })
  copy(`${distDir()}/static`, '.next/static')
  copy(`${root}/public`, 'public')
  for (const path of ['lib/server/store/migrations', 'service/store/migrations']) copy(`${root}/${path}`, path)
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(programs).map(([name, entry]) => [name, entry])),
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
})
