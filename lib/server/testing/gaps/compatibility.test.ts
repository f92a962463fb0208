import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(process.cwd(), 'lib/server/testing/gaps')

/** The names of the gaps tested in a file. */
function listTested(file: string): string[] {
  return Array.from(
    readFileSync(join(folder, file), 'utf8').matchAll(/^gap(?:Of)?\(\s*'([^']+)'/gmu),
    ([, name = '']) => name,
  )
}

/** The first cells of the table in docs/compatibility.md, by the file named in the last cell. */
function listRows(): Map<string, string> {
  const rows = readFileSync('docs/compatibility.md', 'utf8').matchAll(
    /^\| (?!not shown |-)([^|]+?) \| [^|]+ \| (\w+) \|$/gmu,
  )
  return new Map(Array.from(rows, ([, name = '', file = '']) => [name, file]))
}

it('documents every gap that is tested, and tests every gap that is documented', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts') && file !== 'compatibility.test.ts')
  const tested = new Map(
    files.flatMap((file) => listTested(file).map((name) => [name, file.replace('.test.ts', '')] as const)),
  )
  expect(tested.size).toBeGreaterThan(45)
  expect(Object.fromEntries(listRows())).toEqual(Object.fromEntries(tested))
})
