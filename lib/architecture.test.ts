import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'

/* What the lint rules cannot see. Who may import what stands in .oxlintrc.json, where an editor shows it with its reason. */

const isTest = (path: string) => /\.test\.\w+$|(?:^|\/)testing\//u.test(path)

const sources = ['app', 'components', 'lib', 'service', 'scripts'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|tsx|mjs)$/u.test(entry.name))
    .map((entry) => posix.join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
)

const findPaths = (pattern: RegExp, among: RegExp) =>
  sources
    .filter(({ path, text }) => among.test(path) && !isTest(path) && pattern.test(text))
    .map(({ path }) => path)
    .toSorted()

it('a page that a handler opens, and a plain link, carry the merchant', () => {
  const lost =
    /router\.(?:push|replace)\((?!withMerchantParam|address)|<a\s[^>]*href="\/(?!sign-in|forgot-password|api\/desk\/openapi)|<a\s[^>]*href=\{[`"]\//u
  // Where a merchant is chosen, and where nothing of the desk has loaded.
  expect(findPaths(lost, /^(?:app|components)\//u)).toEqual([
    'app/(dashboard)/merchants/page.tsx',
    'components/feedback/page-failure.tsx',
    'components/layout/account.tsx',
  ])
})

it('nothing of the server fetches but a signed head of the log, and whether a password was breached', () => {
  expect(findPaths(/(?<![\w.])fetch\(/u, /^(?:app\/api|lib\/server)\//u)).toEqual([
    'lib/server/activity-log/head-signer.ts',
    'lib/server/auth/passwords.ts',
  ])
})

/* Turbopack makes one chunk of what routes share for each order in which they reach it: it was 45 copies of 2.7 MB, all loaded at the start. */
it('all routes reach what they share in one order, because the route handler comes first', () => {
  const notFirst = (module: string) =>
    new RegExp(`^(?!import \\{[^}]*\\} from '(?:@/lib/server|\\.\\.)/(?:${module})'\n)`, 'u')
  expect(findPaths(notFirst('http/route-handler|upstream/gateway|auth/next-auth'), /^app\/.*\/route\.ts$/u)).toEqual([])
  expect(
    findPaths(notFirst('http/route-handler'), /^lib\/server\/(?:upstream\/gateway|auth\/next-auth)\.ts$/u),
  ).toEqual([])
})

it('zod is imported as a whole, for half the size in the browser', () => {
  expect(findPaths(/import\s+(?:type\s+)?\{[^}]*\bz\b[^}]*\}\s+from\s+'zod'/u, /./u)).toEqual([])
})

it('no file is named for what does not belong together', () => {
  const names = /^(?:index|utils?|helpers?|misc|common|types?|constants?|shared)(?:\.|$)/u
  expect(
    sources.filter(({ path }) => path.split('/').some((part) => names.test(part))).map(({ path }) => path),
  ).toEqual([])
})

it('no folder holds more than thirty files of code', () => {
  const sizes = new Map<string, number>()
  for (const { path } of sources) {
    const folder = posix.dirname(path)
    // The compiled messages are nobody's to read.
    if (!isTest(path) && folder !== 'lib/messages/modules') sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
  }
  expect([...sizes].filter(([, size]) => size > 30)).toEqual([])
})
