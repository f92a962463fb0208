import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { CommandFailure } from './command-failure.mjs'
import { root } from './root.mjs'
import { nodeProgram, runTool } from './run-tool.mjs'

const folders = ['app', 'components', 'lib', 'public']
const rootFiles =
  /^(package\.json|package-lock\.json|tsconfig\.json|proxy\.ts|instrumentation(-client)?\.ts|(next|postcss)\.config\.mjs)$/u
const notBuilt = /\.test\.tsx?$|(^|\/)testing\/|\/migrations\//u

function listSources() {
  const nested = folders
    .filter((folder) => existsSync(`${root}/${folder}`))
    .flatMap((folder) =>
      readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath.slice(root.length + 1)}/${entry.name}`),
    )
  const flat = readdirSync(root).filter((name) => rootFiles.test(name))
  return [...nested, ...flat].map((path) => path.replaceAll('\\', '/')).filter((path) => !notBuilt.test(path))
}

/** A hash over everything the build reads: sources, public files, settings of the build, the lock. */
function hashSources() {
  const hash = createHash('sha256').update(process.versions.node)
  for (const path of listSources().toSorted((one, other) => (one < other ? -1 : 1))) {
    hash.update(`\0${path}\0`).update(readFileSync(`${root}/${path}`))
  }
  return hash.digest('hex')
}

/** The folder that `next build` writes, absolute: DIST_DIR or `.next`. */
export function distDir() {
  return `${root}/${process.env.DIST_DIR ?? '.next'}`
}

/**
 * Builds the desk unless the last build was made from the very same sources. With `checkTypes` a wrong type is a failure,
 * and a build without that check doesn't count.
 */
export async function ensureBuilt({ checkTypes = false } = {}) {
  const stamp = `${distDir()}/debitdesk-sources`
  const sources = hashSources()
  const checked = `${sources} types checked`
  const built = existsSync(`${distDir()}/BUILD_ID`) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (built === checked || (!checkTypes && built === sources)) return
  console.log('Building the desk …')
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    SKIP_TYPES: checkTypes ? 'no' : 'yes',
  }
  const { code, output } = await runTool(process.execPath, [nodeProgram('next/dist/bin/next'), 'build'], { env })
  if (code !== 0) throw new CommandFailure('The desk could not be built: next build failed.', output)
  writeFileSync(stamp, checkTypes ? checked : sources)
}
