import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleProgram } from './support/bundle-program.mjs'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
const names = Object.values(scripts).flatMap((line) => /run\.mjs (\S+)/u.exec(line)?.[1] ?? [])

test('every command of package.json is a file', () => {
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !existsSync(`scripts/${name}.ts`))).toEqual([])
})

test('a bundled command shares with its starter what says how it failed', async () => {
  const bundle = readFileSync(await bundleProgram('scripts/smoke.ts'), 'utf8')
  expect(bundle).toContain('from "../../../../scripts/support/command.mjs"')
  expect(bundle).not.toContain('class CommandError')
})
