import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, fetch as fetchVia, type Response } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Compose } from './support/compose'
import { buildImage, canUnshare } from './support/container'

/* compose.yaml, and the commands of docs/deployment.md on it, run without an engine (support/compose.ts). */

const isInstalled = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const canRun =
  canUnshare() &&
  isInstalled('ip', '-V') &&
  isInstalled('nginx', '-v') &&
  isInstalled('pg_dump', '--version') &&
  existsSync('/usr/lib/postgresql')

const origin = 'https://desk.example'
const version: string = JSON.parse(readFileSync('package.json', 'utf8')).version
const password = 'moss-covered lantern'

let folder: string
let compose: Compose
let ca: string

/** Fetches from nginx's address, as a browser would that finds it by the public name. */
function visit(path: string, init: { method?: string; headers?: Record<string, string>; body?: URLSearchParams } = {}) {
  const address = compose.address('proxy')
  const dispatcher = new Agent({
    connect: { ca, lookup: (_name, _options, done) => done(null, [{ address, family: 4 }]) },
  })
  return fetchVia(`${origin}${path}`, { redirect: 'manual', dispatcher, ...init })
}

/** nginx has no health check. */
async function waitForDesk(): Promise<void> {
  const readStatus = () => visit('/api/ready').then(({ status }) => status, String)
  await expect.poll(readStatus, { timeout: 20_000 }).toBe(200)
}

const readCookies = (reply: Response) => reply.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')

/** Signs in as the first admin; returns the headers of a request. */
async function signIn(): Promise<Record<string, string>> {
  const csrf = await visit('/api/auth/csrf')
  const { csrfToken } = Object(await csrf.json())
  const reply = await visit('/api/auth/callback/credentials', {
    method: 'POST',
    headers: { cookie: readCookies(csrf).join('; '), 'content-type': 'application/x-www-form-urlencoded', origin },
    body: new URLSearchParams({ csrfToken, email: 'ann@example.com', password, json: 'true' }),
  })
  const cookies = readCookies(reply)
  expect(cookies.join()).toContain('__Host-next-auth.session-token')
  return { cookie: cookies.join('; '), 'x-debitdesk': '1', 'sec-fetch-site': 'same-origin' }
}

/** The next version: this one with one migration more. */
function makeNextVersion(image: string): string {
  const next = join(folder, 'next-version')
  cpSync(image, next, { recursive: true, verbatimSymlinks: true })
  const migrations = join(next, 'lib/server/store/migrations')
  const journalPath = join(migrations, 'meta/_journal.json')
  const journal: { entries: { idx: number; when: number; tag: string }[] } = JSON.parse(
    readFileSync(journalPath, 'utf8'),
  )
  const last = journal.entries.at(-1)
  if (!last) throw new Error('There are no migrations')
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: 'next_version' })
  writeFileSync(join(migrations, 'next_version.sql'), 'create table next_version (id integer primary key)')
  writeFileSync(journalPath, JSON.stringify(journal))
  return next
}

/** The commands of a code block of docs/deployment.md that begins with `first`. */
function readCommands(first: string): string[] {
  const blocks = readFileSync('docs/deployment.md', 'utf8')
    .split('```sh\n')
    .map((part) => part.split('```')[0] ?? '')
  const block = blocks.find((one) => one.startsWith(first))
  if (block === undefined) throw new Error(`docs/deployment.md has no block that begins with ${first}`)
  return block
    .split(/\n|&&/u)
    .map((command) => command.trim())
    .filter(Boolean)
}

/** Runs a command of the documents. */
async function runCommand(text: string): Promise<string> {
  const [, verb = '', rest = ''] = /^docker compose (run --rm|up -d --no-deps --wait|stop) ?(.*)$/u.exec(text) ?? []
  const [name = '', ...words] = rest.split(' ')
  if (verb === 'stop') await compose.stop(name, ...words)
  else if (verb.startsWith('up')) await compose.up(name, ...words)
  else if (verb.startsWith('run')) {
    const { code, output } = await compose.run(name, words.length > 0 ? words : undefined)
    if (code !== 0) throw new Error(`${text} ended with ${String(code)}: ${output}`)
    return output
  } else throw new Error(`The test does not know the command: ${text}`)
  return ''
}

describe.skipIf(!canRun)('compose.yaml', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'debitdesk-compose-'))
    execFileSync('chmod', ['0755', folder])
    const image = buildImage(folder)
    compose = new Compose(
      folder,
      { DESK_ADDRESS: origin, DESK_ADMIN_EMAIL: 'ann@example.com' },
      { [version]: image, '0.2.0': makeNextVersion(image) },
    )
    const secrets = {
      'nextauth-secret': 'mZr2-vq8L_0tXy5-wKp1-Hd7c-Bn4s-Ga9e',
      'activity-key': 'kQw8-Jr4n_6bZs1-uTf3-Xe0m-Vp5y-Lc2a',
      'database-password': 'only-for-tests',
      'database-url': 'postgres://debitdesk:only-for-tests@database/debitdesk',
      'upstream-token': 'token-of-the-demo-service',
      'metrics-token': 'token-of-prometheus-token-of-prometheus',
      'admin-password': password,
    }
    for (const [name, value] of Object.entries(secrets)) compose.writeSecret(name, value)
    compose.makeFolder('backups')
    const certificates = join(compose.project, 'docs/deploy/certificates')
    const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=desk.example -addext subjectAltName=DNS:desk.example`
    execFileSync('openssl', [...request.split(' '), '-keyout', 'desk.key', '-out', 'desk.pem'], {
      cwd: certificates,
      stdio: 'pipe',
    })
    ca = readFileSync(join(certificates, 'desk.pem'), 'utf8')
  }, 1_800_000)
  afterAll(async () => {
    await compose?.close()
    if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }, 120_000)

  test('runs Postgres, the migrations, two dashboards, the demo service and nginx, and people sign in', async () => {
    await compose.up('database')
    expect(await compose.run('migrate')).toEqual({ code: 0, output: 'The schema is up to date.\n' })
    // nginx begins also while one of them doesn't run.
    await compose.up('service', 'desk-1', 'proxy', 'desk-2')
    await waitForDesk()
    const headers = await signIn()
    const payments = await visit('/api/service/Payments?limit=5', { headers })
    expect(Object(await payments.json()).results).toHaveLength(5)
    expect((await visit('/metrics')).status).toBe(404)
    for (const name of ['desk-1', 'desk-2'])
      expect(readFileSync(join(folder, 'volumes', name, 'desk/activity-heads.jsonl'), 'utf8')).toContain('"signature"')
    const scraped = await fetch(`http://${compose.address('desk-1')}:3000/metrics`, {
      headers: { authorization: 'Bearer token-of-prometheus-token-of-prometheus' },
    })
    expect(await scraped.text()).toMatch(/^debitdesk_ready 1$/mu)
  })

  test('a backup is made and a new version comes without a failed request, by the commands of docs/deployment.md', async () => {
    const headers = await signIn()
    const failed: string[] = []
    let reads = 0
    const over = new AbortController()
    const read = async () => {
      while (!over.signal.aborted) {
        const reply = await visit('/api/service/Payments?limit=5', { headers }).catch((error: unknown) => ({
          status: String(error),
          text: async () => '',
        }))
        const text = await reply.text()
        if (reply.status !== 200) failed.push(`${reply.status} ${text}`)
        reads += 1
        await wait(50)
      }
    }
    const reading = Promise.all([read(), read()])
    try {
      for (const command of readCommands('docker compose run --rm backup')) await runCommand(command)
      compose.setVersion('0.2.0')
      for (const command of readCommands('docker compose run --rm migrate')) await runCommand(command)
    } finally {
      over.abort()
      await reading
    }
    expect(failed).toEqual([])
    expect(reads).toBeGreaterThan(50)
  })

  test('the version before comes back with the backup, and with it again, by the commands of docs/deployment.md', async () => {
    const [made = ''] = readdirSync(join(compose.project, 'backups'))
    expect(made).toMatch(/^debitdesk-\d{8}T\d{6}Z$/u)
    compose.setVersion(version)
    const commands = readCommands('docker compose stop desk-1').map((command) =>
      command.replace(/debitdesk-\d+T\d+Z/u, made),
    )
    const output: string[] = []
    // The second time with what desk-1 has signed since the first, which is then told to be beyond the backup.
    for (const command of [...commands, ...commands]) output.push(await runCommand(command))
    expect(output.join('\n')).toContain('is beyond this backup')
    expect(output.join('\n')).toMatch(/Restored as of .* The activity log verifies: \d+ rows/u)
    await waitForDesk()
    const headers = await signIn()
    expect((await visit('/api/service/Payments?limit=5', { headers })).status).toBe(200)
  })

  test('stops within the time that compose.yaml gives', async () => {
    await expect(compose.stop('desk-1', 'desk-2', 'service')).resolves.toBeUndefined()
  })
})
