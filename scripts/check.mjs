import './check-node.mjs'
import { existsSync } from 'node:fs'
import { nodeProgram, root, runCommand, runTool } from './support/command.mjs'
import { ensureInstalled } from './support/ensure-ready.mjs'

/** Files that differ from the last commit, or are new. */
async function listChanged() {
  const { output } = await runTool('git', ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'])
  const paths = output.split('\0').map((entry) => entry.slice(3))
  return paths.filter((path) => /\.(?:ts|tsx|mjs|css|json)$/u.test(path) && existsSync(`${root}/${path}`))
}

/** Runs one check quietly; its output is shown when it fails. Answers whether it passed. */
async function check(name, ...args) {
  const { code, output, took } = await runTool(process.execPath, args)
  if (code !== 0) console.log(output.trimEnd())
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${(took / 1_000).toFixed(1).padStart(6)} s`)
  return code === 0
}

// What can be known of a change in less than a minute: types, and of the files that differ from the last commit lint,
// format and the unit tests that they can touch.
await runCommand(async () => {
  await ensureInstalled()
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
})
