import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'

/*
 * The plan of the house as checks. There is no list of exceptions: where the plan is wrong, the rule
 * and the plan change together (docs/architecture.md, decisions).
 */

type Import = { target: string; typeOnly: boolean }
type Source = { path: string; text: string; imports: Import[] }

const root = process.cwd()
const roots = [
  'app',
  'components',
  'lib',
  'service',
  'e2e',
  'scripts',
  'proxy.ts',
  'proxy.test.ts',
  'instrumentation.ts',
]
const isSource = (path: string) => /\.(?:ts|tsx|mts|mjs|js|jsx)$/u.test(path)
const isTest = (path: string) => /\.test\.\w+$|(?:^|\/)testing\//u.test(path)

function listFiles(path: string): string[] {
  if (!existsSync(join(root, path))) return []
  if (isSource(path)) return [path]
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath.slice(root.length + 1), entry.name))
}

/** Where an import leads: a path of the repository with its extension, or the name of a package. */
function resolveImport(from: string, name: string): string {
  const local = name.startsWith('@/') ? name.slice(2) : name.startsWith('.') ? posix.join(dirname(from), name) : null
  if (local === null) return name
  const found = ['', '.ts', '.tsx', '.mjs', '/index.ts', '/index.tsx'].map((end) => `${local}${end}`)
  return found.find((path) => isSource(path) && existsSync(join(root, path))) ?? local
}

const statement =
  /(?:^|[\n;])\s*(?:import|export)\s+(type\s)?(?:[\w*{}\s,$]+\sfrom\s+)?['"]([^'"\n]+)['"]|(?<!['"`])\bimport\(\s*['"]([^'"\n]+)['"]/gu

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const imports = [...text.matchAll(statement)].map(([, type, fixed, dynamic]) => ({
    target: resolveImport(path, fixed ?? dynamic ?? ''),
    typeOnly: type !== undefined,
  }))
  return { path, text, imports }
}

const paths = roots.flatMap(listFiles)
const sources = paths.filter(isSource).map(readSource)
const byPath = new Map(sources.map((source) => [source.path, source]))

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)
const isOurs = (target: string) => byPath.has(target) || roots.some((folder) => isIn(target, folder))

/** `from → to` for every import of `files` that `isWrong`. */
function findImports(files: Source[], isWrong: (target: string, source: Source, one: Import) => boolean): string[] {
  return files.flatMap((source) =>
    source.imports.filter((one) => isWrong(one.target, source, one)).map(({ target }) => `${source.path} → ${target}`),
  )
}

/** Everything that `start` leads to, with the way there. */
function reach(start: string): Map<string, string> {
  const ways = new Map([[start, start]])
  for (const [path, way] of ways) {
    for (const { target } of byPath.get(path)?.imports ?? [])
      if (!ways.has(target)) ways.set(target, `${way} → ${target}`)
  }
  return ways
}

/** Who may import what of ours; each may always import itself. */
const layers: { folder: string; may: string[]; reason: string }[] = [
  {
    folder: 'lib/contract',
    may: [],
    reason: 'Everybody reads the contract; it reads nobody, or the walls between the others fall.',
  },
  { folder: 'lib/database', may: [], reason: 'The desk and the service share how a database is opened, nothing else.' },
  {
    folder: 'lib/format',
    may: ['lib/contract', 'lib/words'],
    reason: 'Formatting knows values and the words for them, not where they come from.',
  },
  { folder: 'lib/words', may: [], reason: 'Texts are told what to say; a translation needs nothing else.' },
  {
    folder: 'lib/browser',
    may: ['lib/contract', 'lib/format'],
    reason: 'What runs in the browser knows the server as HTTP only.',
  },
  {
    folder: 'lib/server',
    may: ['lib/contract', 'lib/database', 'lib/format', 'lib/words'],
    reason: 'The server knows neither pages nor the service behind the wire.',
  },
  {
    folder: 'service',
    may: ['lib/contract', 'lib/database'],
    reason: 'Between the desk and the service is HTTP: the service could be anybody’s.',
  },
  {
    folder: 'components',
    may: ['lib/contract', 'lib/browser', 'lib/format', 'lib/words'],
    reason: 'Components serve several routes and run in the browser.',
  },
  {
    folder: 'app',
    may: ['components', 'lib'],
    reason: 'Pages are made of components and lib; the service is behind HTTP.',
  },
  { folder: 'proxy.ts', may: ['lib'], reason: 'The proxy stands before every page and knows none.' },
  { folder: 'instrumentation.ts', may: ['lib'], reason: 'The start prepares what lib holds.' },
]

describe('imports go one way', () => {
  it.each(layers)('from $folder: $reason', ({ folder, may }) => {
    const files = sources.filter(({ path }) => isIn(path, folder))
    const allowed = [folder, ...may]
    expect(files.length).toBeGreaterThan(0)
    expect(findImports(files, (target) => isOurs(target) && !allowed.some((other) => isIn(target, other)))).toEqual([])
  })

  it('never to a sibling route folder: a route can be removed with its folder', () => {
    const files = sources.filter(({ path }) => isIn(path, 'app') && !isTest(path))
    const isKin = (one: string, other: string) => isIn(one, other) || isIn(other, one)
    expect(
      findImports(files, (target, { path }) => isIn(target, 'app') && !isKin(dirname(target), dirname(path))),
    ).toEqual([])
  })

  it('to next/link through components/link alone: a link carries its merchant', () => {
    const files = sources.filter(({ path }) => !isTest(path) && path !== 'components/link.tsx')
    const isBare = ({ text }: Source) => /import (?!\{ useLinkStatus \})[^;\n]* from 'next\/link'/u.test(text)
    expect(files.filter(isBare).map(({ path }) => path)).toEqual([])
    // Where a handler opens a page, and where a plain link leads to the desk.
    const isLost = ({ path, text }: Source) =>
      !/^components\/(?:link|anchor|merchant-switch|page-failure|sign-in)|^app\/(?:sign-in|\(desk\)\/merchants\/page)/u.test(
        path,
      ) &&
      /router\.(?:push|replace)\((?!keepMerchant|address)|<a\s[^>]*href="\/(?!sign-in|api\/desk\/openapi)|<a\s[^>]*href=\{[`"]\//u.test(
        text,
      )
    expect(
      files
        .filter((source) => isIn(source.path, 'app') || isIn(source.path, 'components'))
        .filter(isLost)
        .map(({ path }) => path),
    ).toEqual([])
  })

  it('never to a testing folder from what runs', () => {
    const starts = sources.filter(
      ({ path }) =>
        !isTest(path) && /^(?:app\/|scripts\/[^/]+$|proxy\.|instrumentation\.|service\/serve\.)/u.test(path),
    )
    const ways = starts.flatMap(({ path }) =>
      [...reach(path)].filter(([target]) => isTest(target)).map(([, way]) => way),
    )
    expect(ways).toEqual([])
  })

  it('to files that exist', () => {
    expect(findImports(sources, (target) => isOurs(target) && !existsSync(join(root, target)))).toEqual([])
  })
})

describe('the browser', () => {
  const clients = sources.filter(
    ({ path, text }) => !isTest(path) && /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*['"]use client['"]/u.test(text),
  )
  const server =
    /^(?:lib\/(?:server|database)\/|service\/|node:|undici$|pino$|pg$|drizzle-orm|@electric-sql\/|@node-rs\/)/u

  it('has client code', () => {
    expect(clients.length).toBeGreaterThan(0)
  })

  it('is reached by nothing of the server, types included: the credential lives there', () => {
    const ways = clients.flatMap(({ path }) =>
      [...reach(path)].filter(([target]) => server.test(target)).map(([, way]) => way),
    )
    expect(ways).toEqual([])
  })
})

describe('the service is called from one place', () => {
  const shipped = sources.filter(({ path }) => !isTest(path))
  const importers = (target: string) =>
    findImports(shipped, (other, _, { typeOnly }) => other === target && !typeOnly).map(
      (line) => line.split(' → ')[0] ?? '',
    )

  it('upstream only by perform, the ledger and the doctor: neither permission nor the ledger can be left out', () => {
    const others = importers('lib/server/upstream.ts').filter(
      (path) =>
        !['lib/server/perform.ts', 'lib/server/doctor/patient.ts'].includes(path) &&
        !isIn(path, 'lib/server/cancellations'),
    )
    expect(importers('lib/server/upstream.ts')).toContain('lib/server/perform.ts')
    expect(others).toEqual([])
  })

  it('the wire only by upstream and the fetching of tokens: nothing else sets headers, deadlines and limits', () => {
    expect(importers('lib/server/exchange.ts').toSorted()).toEqual([
      'lib/server/credentials/request-token.ts',
      'lib/server/openid/provider-metadata.ts',
      'lib/server/send-request.ts',
    ])
    expect(importers('lib/server/send-request.ts')).toEqual(['lib/server/upstream.ts'])
    // The service and the commands are no part of the desk: they hold none of its credentials.
    const ofDesk = importers('undici').filter((path) => !isIn(path, 'service') && !isIn(path, 'scripts'))
    expect(ofDesk).toEqual(['lib/server/exchange.ts'])
    const fetching = shipped.filter(
      ({ path, text }) => /^(?:app|lib\/server)\//u.test(path) && /(?<![\w.])fetch\(/u.test(text),
    )
    // To addresses of the settings, with no credential: signed heads of the log, and five digits of a password's hash.
    expect(fetching.map(({ path }) => path).toSorted()).toEqual([
      'lib/server/activity/head-signer.ts',
      'lib/server/breached-passwords.ts',
    ])
  })
})

describe('files', () => {
  it('are not named for what does not belong together', () => {
    const names = /^(?:index|utils?|helpers?|misc|common|types?|constants?|shared)(?:\.|$)/u
    expect(paths.filter((path) => path.split('/').some((part) => names.test(part)))).toEqual([])
  })

  it('are named in kebab-case', () => {
    const names = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z]+)*\.[a-z0-9]+$/u
    expect(sources.map(({ path }) => path).filter((path) => !names.test(basename(path)))).toEqual([])
  })

  it('are no barrels: a name has one home', () => {
    expect(sources.filter(({ text }) => /(?:^|\n)export\s+\*/u.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('have at most 250 lines: past that a file is two things', () => {
    const count = (text: string) => text.split('\n').filter((line) => line.trim() !== '').length
    expect(sources.filter(({ text }) => count(text) > 250).map(({ path, text }) => `${path} (${count(text)})`)).toEqual(
      [],
    )
  })

  it('import zod as a whole, for half the size in the browser', () => {
    expect(
      sources
        .filter(({ text }) => /import\s+(?:type\s+)?\{[^}]*\bz\b[^}]*\}\s+from\s+'zod'/u.test(text))
        .map(({ path }) => path),
    ).toEqual([])
  })
})
