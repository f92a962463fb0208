import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(process.cwd(), 'lib/server/testing/gaps')

/** The names of gaps as a file tests them. */
function listTested(file: string): string[] {
  return Array.from(
    readFileSync(join(folder, file), 'utf8').matchAll(/^gap(?:Of)?\(\s*'([^']+)'/gmu),
    ([, name = '']) => name,
  )
}

/** The first cells of the README's table of what the interface does not show, by the file that its last cell names. */
function listRows(): Map<string, string> {
  const [, section = ''] = readFileSync('README.md', 'utf8').split('### What the interface leaves open')
  const [table = ''] = section.split('\n\n| | decision |')
  const rows = table.matchAll(/^\| (?!not shown |-)([^|]+?) \| [^|]+ \| (\w+) \|$/gmu)
  return new Map(Array.from(rows, ([, name = '', file = '']) => [name, file]))
}

it('has a row in the README for every gap that is tested, and a test for every row', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts') && file !== 'readme.test.ts')
  const tested = new Map(
    files.flatMap((file) => listTested(file).map((name) => [name, file.replace('.test.ts', '')] as const)),
  )
  expect(tested.size).toBeGreaterThan(45)
  expect(Object.fromEntries(listRows())).toEqual(Object.fromEntries(tested))
})
