import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/journey'
import { sendRaw } from '../support/raw-http'
import { signIn } from '../support/session'

const dist = join(import.meta.dirname, '../..', process.env.DIST_DIR ?? '.next')

/** What of a built folder can run or be read: names of files, and their text. */
async function readBuilt(folder: string): Promise<{ name: string; text: string }[]> {
  const names = await readdir(join(dist, folder), { recursive: true })
  const files = names.filter((name) => /\.(?:js|mjs|cjs|json|css|html|map)$/u.test(name))
  return Promise.all(files.map(async (name) => ({ name, text: await readFile(join(dist, folder, name), 'utf8') })))
}

test('nothing that was built has a source map (SC-04)', async () => {
  // `node_modules` there leads to the packages that are installed, which come with theirs.
  const names = (await readdir(dist, { recursive: true })).filter((name) => !name.startsWith('node_modules/'))
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => name.endsWith('.map'))).toEqual([])
  const scripts = (await readBuilt('server')).filter(({ name }) => name.endsWith('.js'))
  // The frames in the log tell by their names where something was thrown.
  expect(scripts.some(({ text }) => text.includes('function pickMerchant('))).toBe(true)
})

test('the browser is given no source map, no secret and nothing of the server (SC-04)', async ({ desk }) => {
  const files = await readBuilt('static')
  expect(files.length).toBeGreaterThan(10)
  const telling =
    /sourceMappingURL=|NEXTAUTH_SECRET|UPSTREAM_TOKEN|DEMO_SIGN_INS|argon2|drizzle-orm|pglite|@debitdesk\.example/u
  expect(files.filter(({ text }) => telling.test(text)).map(({ name }) => name)).toEqual([])
  const { signIn, url } = desk
  const passwords = (['admin', 'support', 'viewer'] as const).map((role) => signIn(role).password)
  for (const { name, text } of files) for (const one of passwords) expect(text.includes(one), name).toBe(false)
  for (const target of [
    '/.env',
    '/.git/config',
    '/package.json',
    '/_next/server/app/page.js',
    '/_next/static/x.js.map',
  ])
    expect((await sendRaw(url, `GET ${target}`)).status, target).toBeGreaterThanOrEqual(307)
})

test('the server is built without what only tests use, and without actions of the framework’s (SC-04, AZ-07)', async () => {
  const files = await readBuilt('server')
  const told = /lib\/server\/testing|setMemoryStore|failpoint|SERVICE_CONTROL_PORT|@debitdesk\.example/iu
  expect(files.filter(({ text }) => told.test(text)).map(({ name }) => name)).toEqual([])
  const actions = files.filter(({ name }) => name.endsWith('server-reference-manifest.json'))
  expect(actions.length).toBeGreaterThan(0)
  for (const { name, text } of actions) {
    const { node, edge } = JSON.parse(text)
    expect(Object.keys({ ...node, ...edge }), name).toEqual([])
  }
})

test('scripts and styles are sent compressed, and are the same uncompressed', async ({ desk, request }) => {
  const names = (await readBuilt('static')).filter(({ text }) => text.length > 2_000).map(({ name }) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    const address = `${desk.url}/_next/static/${name}`
    const compressed = await request.get(address, { headers: { 'accept-encoding': 'gzip' } })
    const plain = await request.get(address, { headers: { 'accept-encoding': 'identity' } })
    expect(compressed.headers()['content-encoding'], name).toBe('gzip')
    expect(plain.headers()['content-encoding'], name).toBeUndefined()
    expect(compressed.headers()['content-type'], name).toBe(plain.headers()['content-type'])
    expect(compressed.headers()['cache-control'], name).toBe(plain.headers()['cache-control'])
    expect(await compressed.text(), name).toBe(await plain.text())
  }
})

test('pages, parts of pages and data are sent compressed', async ({ desk, page, context }) => {
  await signIn(page, desk.signIn('viewer'))
  const targets: [target: string, headers: Record<string, string>, type: RegExp][] = [
    ['/payments', {}, /^text\/html/u],
    ['/payments', { rsc: '1' }, /^text\/x-component/u],
    ['/api/service/Payments', { 'x-debitdesk': '1' }, /^application\/json/u],
  ]
  for (const [target, headers, type] of targets) {
    const address = desk.url + target
    const compressed = await context.request.get(address, { headers: { ...headers, 'accept-encoding': 'gzip' } })
    const plain = await context.request.get(address, { headers: { ...headers, 'accept-encoding': 'identity' } })
    expect(compressed.headers()['content-type'], target).toMatch(type)
    expect(compressed.headers()['content-encoding'], target).toBe('gzip')
    expect(plain.headers()['content-encoding'], target).toBeUndefined()
  }
})
