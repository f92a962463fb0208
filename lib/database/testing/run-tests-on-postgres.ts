import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startPostgres } from './start-postgres'

/**
 * Runs the tests of `folders` a second time, with the address of a fresh Postgres in `variable`; `without` names
 * files (without ".test.ts", between commas) that are left out. Answers null, or the end of the output where one failed.
 */
export async function runTestsOnPostgres(variable: string, folders: readonly string[], without: string) {
  const postgres = await startPostgres()
  try {
    const { LONG_TESTS: _, ...environment } = process.env
    const child = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...folders, '--exclude', `**/{${without}}.test.ts`],
      // Below the limit of a long test: what was running then stands at the end of the output.
      { env: { ...environment, [variable]: postgres.url }, timeout: 580_000, killSignal: 'SIGKILL' },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await once(child, 'close')
    return child.exitCode === 0 ? null : output.slice(-5_000)
  } finally {
    await postgres.stop()
  }
}
