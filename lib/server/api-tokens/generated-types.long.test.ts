import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { makeScriptsOpenapi } from './openapi'

const run = promisify(execFile)

it('the example compiles with the types that the documented command makes', async () => {
  const document = await readFile('docs/automation.md', 'utf8')
  const command = /```text\n(npx .*?)\n```/su.exec(document)?.[1] ?? ''
  expect(command).toContain('openapi-typescript openapi.json')
  const folder = await mkdtemp(join(tmpdir(), 'generated-types-'))
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(makeScriptsOpenapi()))
    await copyFile('docs/examples/cancel-duplicates.ts', join(folder, 'cancel-duplicates.ts'))
    await run('bash', ['-euo', 'pipefail', '-c', command.replace('npx', 'npx --yes')], { cwd: folder })
    const options = [
      '--noEmit',
      '--ignoreConfig',
      '--strict',
      '--module',
      'preserve',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
    ]
    const types = ['--types', 'node', '--typeRoots', join(process.cwd(), 'node_modules', '@types')]
    await run('npx', ['tsc', ...options, ...types, join(folder, 'cancel-duplicates.ts')])
    // A field that the description lacks must not compile.
    const wrong = (await readFile(join(folder, 'cancel-duplicates.ts'), 'utf8')).replace('ready.count', 'ready.size')
    await writeFile(join(folder, 'wrong.ts'), wrong)
    await expect(run('npx', ['tsc', ...options, ...types, join(folder, 'wrong.ts')])).rejects.toMatchObject({
      stdout: expect.stringContaining("'size'"),
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
