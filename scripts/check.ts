import { existsSync } from 'node:fs'
import { nodeProgram, root, runTool } from './support/command.mjs'

/** Files changed since the last commit, and new ones. */
async function listChanged(): Promise<string[]> {
  const { output } = await runTool('git', ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'])
  const paths = output.split('\0').map((entry) => entry.slice(3))
  return paths.filter((path) => /\.(?:ts|tsx|mjs|css|json)$/u.test(path) && existsSync(`${root}/${path}`))
}

/** Runs a check and shows its output only if it fails. Returns whether it passed. */
async function check(name: string, ...args: string[]): Promise<boolean> {
  const { code, output, took } = await runTool(process.execPath, args)
  if (code !== 0) console.log(output.trimEnd())
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${(took / 1_000).toFixed(1).padStart(6)} s`)
  return code === 0
}

// `npm run check`: what can be checked in less than a minute. Types of everything; lint, format and related unit tests
// of the files changed since the last commit.
const changed = await listChanged()
const code = changed.filter((path) => /\.(?:ts|tsx|mjs)$/u.test(path))
await runTool(process.execPath, [nodeProgram('next/dist/bin/next'), 'typegen'])
const passed = await Promise.all([
  check('types', nodeProgram('typescript/bin/tsc'), '--noEmit'),
  changed.length === 0 || check('format', nodeProgram('@biomejs/biome/bin/biome'), 'format', ...changed),
  code.length === 0 || check('lint', nodeProgram('oxlint/bin/oxlint'), ...code),
  code.length === 0 ||
    check('tests', nodeProgram('vitest/vitest.mjs'), 'related', '--run', '--passWithNoTests', ...code),
])
process.exitCode = passed.every(Boolean) ? 0 : 1
