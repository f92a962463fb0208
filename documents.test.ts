import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseSettings, SettingsError, settingNames } from '@/lib/server/runtime/settings'
import { fileSetting, secretSettings } from '@/lib/server/runtime/setting-sources'
import { serviceSettingNames } from '@/service/settings'

/*
 * Documents promise nothing that the code doesn't have and leave out nothing that it has, and no reference in code or
 * documents leads nowhere.
 */

const read = (path: string) => readFileSync(path, 'utf8')
const sorted = (values: Iterable<string>) => Array.from(new Set(values)).toSorted()

const folders = ['.github', 'app', 'components', 'docs', 'e2e', 'lib', 'scripts', 'service']
const files = sorted([
  ...readdirSync('.', { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ),
])
const texts = new Map(
  files
    .filter((path) => ['.ts', '.tsx', '.mjs', '.md', '.sql', '.css', '.yml'].includes(extname(path)))
    .map((path) => [path, read(path)]),
)
const documents = Array.from(texts).filter(([path]) => path.endsWith('.md'))

/** The anchors of a document's headings, as forges make them. */
function listAnchors(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.+)$/gmu), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function isDead(path: string, link: string): boolean {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? path : join(dirname(path), decodeURIComponent(file))
  if (!existsSync(target)) return true
  return anchor !== undefined && !listAnchors(read(target)).includes(anchor)
}

describe('references', () => {
  it('in documents lead to files and headings that exist', () => {
    const dead = documents.flatMap(([path, text]) =>
      Array.from(
        text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/gu),
        ([, link = '', source = '']) => link || source,
      )
        .filter((link) => !/^[a-z]+:/u.test(link) && isDead(path, link))
        .map((link) => `${path}: ${link}`),
    )
    expect(dead).toEqual([])
  })

  it('in code and documents name files of docs that exist, and sections of the upstream API that it has', () => {
    const sections = Array.from(read('docs/upstream-api.md').matchAll(/^## (\d+)\./gmu), ([, number = '']) => number)
    const dead = Array.from(texts).flatMap(([path, text]) => [
      ...Array.from(text.matchAll(/(?<![\w./-])docs\/[\w./-]+\.(?:md|json|sql)\b/gu), ([name]) => name)
        .filter((name) => !existsSync(name))
        .map((name) => `${path}: ${name}`),
      ...Array.from(text.matchAll(/docs\/upstream-api\.md,? section (\d+)/gu), ([, number = '']) => number)
        .filter((number) => !sections.includes(number))
        .map((number) => `${path}: section ${number}`),
    ])
    expect(dead).toEqual([])
  })

  it('in documents name files of the repository that exist', () => {
    const dead = documents
      // Records tell of their time, and the service writes files of its own.
      .filter(([path]) => !path.startsWith('docs/decisions/') && path !== 'service/README.md')
      .flatMap(([path, text]) =>
        Array.from(text.matchAll(/`((?:app|components|e2e|lib|scripts|service)\/[^`\s]*)`/gu), ([, name = '']) => name)
          .filter((name) => !existsSync(name))
          .map((name) => `${path}: ${name}`),
      )
    expect(dead).toEqual([])
  })

  it('to steps of a cancellation name the document that has them', () => {
    const bare = Array.from(texts).flatMap(([path, text]) =>
      path.startsWith('lib/server/')
        ? Array.from(
            text.matchAll(/\bstep \d(?! of a cancellation \(docs\/architecture\.md\))/giu),
            ([name]) => `${path}: ${name}`,
          )
        : [],
    )
    expect(bare).toEqual([])
  })
})

describe('requirements', () => {
  const home = 'docs/requirements.md'
  const id = /\b[A-Z]{2}-\d{2}\b/gu
  /** Who cites each id: reports repeat the names of tests, and documents explain them. */
  const citations = new Map<string, string[]>()
  for (const [path, text] of texts) {
    if (path.endsWith('.md')) continue
    for (const cited of sorted(text.match(id) ?? [])) citations.set(cited, [...(citations.get(cited) ?? []), path])
  }
  const isTest = (path: string) => /\.(?:test|spec)\.\w+$|\/testing\//u.test(path)
  const row = /^\| ([A-Z]{2}-\d{2}) \| ([^|]+) \|.*\|$/gmu
  const defined = sorted(Array.from(read(home).matchAll(row), ([, name = '']) => name))

  it('are defined where an id is cited, in code, tests or documents', () => {
    const unknown = Array.from(texts).flatMap(([path, text]) =>
      sorted(text.match(id) ?? [])
        .filter((name) => !defined.includes(name))
        .map((name) => `${path}: ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('are each cited by somebody', () => {
    expect(defined.filter((name) => !citations.has(name))).toEqual([])
  })

  it('name the tests that cite them: `npx vitest run documents.test.ts -u` writes them anew', async () => {
    const listed = read(home).replaceAll(row, (_, name: string, rule: string) => {
      const all = citations.get(name) ?? []
      const tests = all.filter(isTest)
      return `| ${name} | ${rule} | ${(tests.length > 0 ? tests : all).map((path) => `\`${path}\``).join(', ')} |`
    })
    await expect(listed).toMatchFileSnapshot(home)
  })
})

/** The settings in the first cells of a document's tables. */
function listRows(path: string): string[] {
  const cells = Array.from(
    read(path).matchAll(/^\| (`[A-Z][A-Z_]+`(?:, `[A-Z][A-Z_]+`)*) \|/gmu),
    ([, cell = '']) => cell,
  )
  return sorted(cells.flatMap((cell) => cell.replaceAll('`', '').split(', ')))
}

describe('decisions', () => {
  const home = 'docs/decisions'
  const records = sorted(readdirSync(home)).filter((name) => name !== 'README.md')

  it.each(records)('%s has a number, a title, a date, a status and its four sections', (name) => {
    const text = read(join(home, name))
    expect(text).toMatch(
      new RegExp(`^# ${name.slice(0, 4)}\\. \\S.*\\n\\nDate: \\d{4}-\\d\\d-\\d\\d\\. Status: \\w`, 'u'),
    )
    expect(sorted(Array.from(text.matchAll(/^## (.+)$/gmu), ([, heading = '']) => heading))).toEqual([
      'Alternatives',
      'Consequences',
      'Context',
      'Decision',
    ])
  })

  it('stand in the index, each under its title', () => {
    const rows = read(join(home, 'README.md')).matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \| [\d-]+ \|$/gmu)
    expect(Array.from(rows, ([, number, name, title]) => `${name} # ${number}. ${title}`)).toEqual(
      records.map((name) => `${name} ${read(join(home, name)).split('\n')[0]}`),
    )
  })

  it('exist where one is cited', () => {
    const numbers = records.map((name) => name.slice(0, 4))
    const unknown = Array.from(texts).flatMap(([path, text]) =>
      Array.from(
        text.matchAll(/\bdecisions? (\d{4})\b|\((0\d{3})\)(?!:)|\b(D-\d{2,3})\b/gu),
        ([cited, one, other]) => ({
          cited,
          number: one ?? other ?? '',
        }),
      )
        .filter(({ number }) => !numbers.includes(number))
        .map(({ cited }) => `${path}: ${cited}`),
    )
    expect(unknown).toEqual([])
  })
})

/** What is wrong with the settings of an environment, a line each. */
function readProblems(environment: Record<string, string>): readonly string[] {
  try {
    parseSettings(environment)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
}

describe('settings', () => {
  // Set by `npm start` for the process that it starts.
  const forPeople = sorted([fileSetting, ...settingNames.filter((name) => name !== 'DEMO_SIGN_INS')])

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

  it('have values in .env.example that hold by themselves', () => {
    const lines = read('.env.example').matchAll(/^#([A-Z_]+)=(.+)$/gmu)
    const values = Array.from(lines, ([, name = '', value = '']) => [name, value]).filter(
      // A file that is not there.
      ([name]) => name !== fileSetting,
    )
    const problems = readProblems(Object.fromEntries(values))
    // What is a secret has no value there, and others ask for it.
    expect(problems.filter((problem) => !problem.includes(' is needed '))).toEqual([])
  })

  it('that are secrets are named in docs/configuration.md as those that may be in a file', () => {
    const [, list = ''] = /This holds for\n((?:`.*\n)+)/u.exec(read('docs/configuration.md')) ?? []
    expect(sorted(list.match(/[A-Z_]+/gu) ?? [])).toEqual(sorted(secretSettings))
    expect(secretSettings.filter((name) => !forPeople.includes(name))).toEqual([])
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
