import { createServer, type RequestListener, type Server } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { hasPgbouncer, startPgbouncer } from '@/lib/database/testing/start-pgbouncer'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { type MailServer, startMailServer } from '../testing/mail-server'
import { parseSettings } from '../runtime/settings'
import { storeMigrations } from '../store/store'
import { checkDesk } from './check-desk'
import { compareClocks, DeskFindings } from './desk-findings'

const secret = 'mZr2-vq8L_0tXy5-wKp1-Hd7c-Bn4s-Ga9e'
let folder: string
let postgres: TestPostgres
let mail: MailServer
const servers: Server[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'check-desk-'))
  postgres = await startPostgres()
  mail = await startMailServer({ password: 'right' })
  // Settings of a process are read once.
  process.env.SMTP_URL = mail.url.replace(/\/\/(?:[^@]*@)?/u, '//desk:wrong@')
  process.env.MAIL_FROM = 'desk@example.com'
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})
afterAll(async () => {
  await mail.close()
  await postgres.stop()
  rmSync(folder, { recursive: true })
})

/** A proxy at a local address, in front of no dashboard: it answers as `reply` says. */
async function serve(reply: RequestListener): Promise<string> {
  const server = createServer(reply).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

async function check(given: Record<string, string>): Promise<Record<string, string>> {
  const environment = { DATA_DIR: folder, NEXTAUTH_URL: `http://127.0.0.1:${await findFreePort()}`, ...given }
  const { findings } = await checkDesk(parseSettings(environment))
  return Object.fromEntries(findings.map(({ subject, result, detail }) => [subject, `${result}: ${detail}`]))
}

describe('the database', () => {
  it('is reached, with what is off and migrations that are due named', async () => {
    // It runs without fsync.
    const found = await check({ DATABASE_URL: postgres.url })
    expect(found).toMatchObject({
      database: expect.stringMatching(/^ok: Postgres 15\./u),
      sessions: expect.stringMatching(/^ok/u),
      durability: expect.stringMatching(/^failure: fsync is off: a power cut/u),
      migrations: expect.stringMatching(/^warning: Migrations are due: starting the dashboard makes them/u),
      'clock of database': expect.stringMatching(/^ok/u),
      'activity key': expect.stringMatching(/^note/u),
      disk: expect.stringMatching(/ are free at DATA_DIR/u),
    })
    const { close } = await openDatabase({ url: postgres.url, migrationsFolder: storeMigrations })
    await close()
    expect((await check({ DATABASE_URL: postgres.url })).migrations).toBe('ok: The schema is up to date.')
  })

  it('says whether the role may make migrations that are due, whoever owns tables of others', async () => {
    const own = { DATABASE_URL: postgres.url.replace(/:\/\/[^@]*@/u, '://desk:only-for-tests@') }
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(`
      create role desk login password 'only-for-tests';
      grant usage on schema public, drizzle to desk;
      grant select on all tables in schema drizzle to desk;
      update drizzle.__drizzle_migrations set created_at = 1`)
    const refused = /^failure: Migrations are due, which this role may not make/u
    expect((await check(own)).migrations).toMatch(refused)
    const owned = await client.query<{ table: string }>(
      `select format('%I.%I', schemaname, tablename) as table from pg_tables where schemaname in ('public', 'drizzle')`,
    )
    for (const { table } of owned.rows) await client.query(`alter table ${table} owner to desk`)
    await client.query('create table of_others (id int); grant create on schema public to desk')
    expect((await check(own)).migrations).toMatch(refused)
    // As each migration begins.
    await client.query('set role desk')
    await expect(client.query('create schema if not exists drizzle')).rejects.toMatchObject({ code: '42501' })
    await client.query('reset role')
    await client.query('grant create on database postgres to desk')
    expect((await check(own)).migrations).toMatch(/^warning: Migrations are due/u)
    await client.end()
  })

  it('that cannot be opened is explained, without its password', async () => {
    const found = await check({ DATABASE_URL: postgres.url.replace(/:[^:/]*@/u, ':canary@') })
    expect(found.database).toMatch(/^failure: .* it does not accept the user or the password/u)
    expect(JSON.stringify(found)).not.toContain('canary')
    expect((await check({ DATABASE_URL: 'postgres://127.0.0.1:1/x' })).database).toContain('nothing listens there')
  })

  it.skipIf(!hasPgbouncer)('behind a pooler in transaction mode is a failure', async () => {
    const pooler = await startPgbouncer(postgres.url, 'transaction')
    const found = await check({ DATABASE_URL: pooler.url })
    await pooler.stop()
    expect(found.sessions).toMatch(/^failure: .*pool_mode = session/u)
  })

  it('in a folder is enough for this machine alone', async () => {
    expect((await check({})).database).toMatch(/^note: PGlite/u)
    const open = { NEXTAUTH_URL: 'https://desk.invalid', TRUSTED_PROXIES: '1', NEXTAUTH_SECRET: secret }
    expect((await check(open)).database).toMatch(/^warning: PGlite .* set DATABASE_URL/u)
  })
})

describe('the public address', () => {
  it('without a certificate, a proxy, a secret or a reply is told with what to do', async () => {
    expect(await check({ NEXTAUTH_URL: 'http://desk.invalid' })).toMatchObject({
      https: expect.stringMatching(/^failure: Plain http/u),
      proxies: expect.stringMatching(/^warning: TRUSTED_PROXIES is none/u),
      secrets: expect.stringMatching(/^failure: NEXTAUTH_SECRET is needed/u),
      'public address': expect.stringMatching(/^warning: Nothing answers at http:\/\/desk\.invalid/u),
    })
  })

  it('that leads elsewhere or to something else is a failure', async () => {
    const away = await serve((_, response) => response.writeHead(301, { location: 'https://other.example/' }).end())
    expect((await check({ NEXTAUTH_URL: away }))['public address']).toContain('redirects to https://other.example/')
    const broken = await serve((_, response) => response.writeHead(502).end('Bad gateway'))
    expect((await check({ NEXTAUTH_URL: broken }))['public address']).toMatch(/^failure: .* answers 502, not as/u)
  })

  it('whose proxy changes or drops cookies is a failure, and so is one whose dashboard cannot work', async () => {
    const answer =
      (cookie: string | null): RequestListener =>
      ({ url }, response) => {
        if (cookie !== null) response.setHeader('set-cookie', cookie)
        if (url === '/api/ready') response.writeHead(503).end('{"code":"store-unavailable"}')
        else response.end('{"status":"ok"}')
      }
    const changed = await check({
      NEXTAUTH_URL: await serve(answer('next-auth.csrf-token=x; Path=/; Domain=shop.test; SameSite=Lax')),
    })
    expect(changed.cookies).toBe(
      'failure: next-auth.csrf-token arrives without httponly, domain=shop.test. Let the proxy leave cookies as they are.',
    )
    expect(changed.readiness).toMatch(/^failure: It answers 503 \(store-unavailable\)/u)
    const dropped = await check({ NEXTAUTH_URL: await serve(answer(null)) })
    expect(dropped.cookies).toMatch(/^failure: next-auth\.csrf-token is not set \(200\)/u)
  })
})

describe('clocks', () => {
  const compare = (offset: number, took = 20) => {
    const found = new DeskFindings()
    compareClocks(found, 'clock', {
      time: 1_000_000 + offset,
      sent: 1_000_000 - took,
      received: 1_000_000,
      precision: 0,
    })
    return found.findings[0]?.result
  }
  it.each([
    [0, 'ok'],
    [-4_900, 'ok'],
    [6_000, 'warning'],
    [-31_000, 'failure'],
    [31_000, 'failure'],
  ])('%i ms apart are %s', (offset, result) => {
    expect(compare(offset)).toBe(result)
  })
  it('are not blamed for a slow reply', () => {
    expect(compare(-6_000, 12_000)).toBe('ok')
  })
  it('of the provider are read from its replies', async () => {
    const late = await serve((_, response) =>
      response.writeHead(200, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end(),
    )
    const found = await check({ UPSTREAM_URL: late, UPSTREAM_AUTH: 'none' })
    expect(found['clock of provider']).toMatch(/^failure: The clocks are 3\d\d\d\.\d s apart\. Let both/u)
  })
})

it('a mail server that does not take the password is named with its code and what to check', async () => {
  const found = await check({ SMTP_URL: process.env.SMTP_URL ?? '', MAIL_FROM: 'desk@example.com' })
  expect(found['mail server']).toBe(
    'failure: No mail can be handed to 127.0.0.1 (EAUTH 535). Check the user and the password in SMTP_URL.',
  )
  expect(mail.signIns).toEqual(['desk:wrong'])
})
