import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { CommandError, nodeProgram, root, runTool } from './command.mjs'

const folders = ['app', 'components', 'lib', 'messages', 'public']
const rootFiles =
  /^(package\.json|package-lock\.json|tsconfig\.json|proxy\.ts|instrumentation(-client)?\.ts|(next|postcss)\.config\.mjs)$/u
const notBuilt = /\.test\.tsx?$|(^|\/)testing\/|\/migrations\/|^lib\/messages\/(?!stamp$)/u

function listSources(): string[] {
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

/**
 * A hash of everything the build reads: sources, public files, build settings, the lockfile, the compiled messages' stamp.
 * Releases of one major version of Node build the same.
 */
export function hashSources(node = process.versions.node): string {
  const hash = createHash('sha256').update(node.slice(0, node.indexOf('.')))
  for (const path of listSources().toSorted((one, other) => (one < other ? -1 : 1))) {
    hash.update(`\0${path}\0`).update(readFileSync(`${root}/${path}`))
  }
  return hash.digest('hex')
}

/** The absolute path of the build folder: DIST_DIR or `.next`. */
export function distDir(): string {
  return `${root}/${process.env.DIST_DIR ?? '.next'}`
}

/**
 * Builds the desk unless the last build has the same sources. With `checkTypes` a type error fails the build, and a
 * build without that check does not count; the same holds for `standalone`, the folder of all files that Next needs.
 */
export async function ensureBuilt({ checkTypes = false, standalone = false } = {}): Promise<void> {
  const stamp = `${distDir()}/debitdesk-sources`
  const sources = hashSources()
  const checked = `${sources} types checked`
  const built = existsSync(`${distDir()}/BUILD_ID`) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  const isComplete = !standalone || existsSync(`${distDir()}/standalone`)
  if (isComplete && (built === checked || (!checkTypes && built === sources))) return
  console.log('Building the desk …')
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    SKIP_TYPES: checkTypes ? 'no' : 'yes',
    STANDALONE: standalone ? 'yes' : 'no',
  }
  const { code, output } = await runTool(process.execPath, [nodeProgram('next/dist/bin/next'), 'build'], { env })
  if (code !== 0) throw new CommandError('The desk could not be built: next build failed.', output)
  writeFileSync(stamp, checkTypes ? checked : sources)
}
