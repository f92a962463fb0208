import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { settingNames } from './lib/server/settings'
import { serviceSettingNames } from './service/service-settings'

/** Documents promise nothing that the code doesn't have, and leave out nothing that it has. */

const read = (path: string) => readFileSync(path, 'utf8')
const sorted = (values: Iterable<string>) => Array.from(new Set(values)).toSorted()

/** The settings in the first cells of a document's tables. */
function listRows(path: string): string[] {
  const cells = Array.from(
    read(path).matchAll(/^\| (`[A-Z][A-Z_]+`(?:, `[A-Z][A-Z_]+`)*) \|/gmu),
    ([, cell = '']) => cell,
  )
  return sorted(cells.flatMap((cell) => cell.replaceAll('`', '').split(', ')))
}

describe('settings', () => {
  // Set by `npm start` for the process that it starts.
  const forPeople = sorted(settingNames.filter((name) => name !== 'DEMO_SIGN_INS'))

  it('stand in docs/configuration.md, each of them and no other', () => {
    expect(listRows('docs/configuration.md')).toEqual(forPeople)
  })

  it('stand in .env.example, each of them and no other, all switched off', () => {
    const lines = read('.env.example')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# '))
    expect(lines.filter((line) => !/^#[A-Z_]+=/u.test(line))).toEqual([])
    expect(sorted(lines.map((line) => line.slice(1).split('=')[0] ?? ''))).toEqual(forPeople)
  })

  it('of the embedded service stand in its README', () => {
    // PORT is the desk's own: callbacks may go there.
    expect(listRows('service/README.md')).toEqual(sorted(serviceSettingNames.filter((name) => name !== 'PORT')))
  })
})

it('names every npm script in docs/commands.md, and no other', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  const rows = read('docs/commands.md').matchAll(/^\| `npm (?:run )?([\w:-]+)/gmu)
  expect(sorted(Array.from(rows, ([, name = '']) => name))).toEqual(sorted(Object.keys(scripts)))
})

it('keeps the README and CONTRIBUTING.md short enough to be read', () => {
  const sizes = ['README.md', 'CONTRIBUTING.md']
    .filter((path) => existsSync(path))
    .map((path) => Buffer.byteLength(read(path)))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(6 * 1024)
})
