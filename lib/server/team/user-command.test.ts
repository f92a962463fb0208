import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockFolder } from '@/lib/database/folder-lock'
import type { OpenDatabase } from '@/lib/database/database'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'
import { verifyChain } from '../activity-log/hash-chain'
import { verifyPassword } from '../auth/passwords'
import { factorResets } from '../store/factor-schema'
import { activity, connections, memberships, sessions, users } from '../store/schema'
import { storeMigrations } from '../store/store'
import { openMemoryStore } from '../testing/store-fixture'
import { runUserCommand, type UserRequest } from './user-command'

const password = 'moss-covered lantern'
let store: OpenDatabase
const run = (request: UserRequest, typed = password) => runUserCommand(store.db, request, async () => typed)

beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())

describe('npm run user', () => {
  it('makes an account under its canonical address, sets its password, and lists it', async () => {
    expect(await run({ action: 'add', email: ' Ann@Shop.Example.', role: 'admin' })).toEqual([
      'ann@shop.example may sign in as admin.',
    ])
    const [ann] = await store.db.select().from(users)
    expect(await verifyPassword(ann?.passwordHash ?? null, password)).toBe(true)
    await store.db.insert(sessions).values({ id: crypto.randomUUID(), userId: ann?.id ?? '' })
    await run({ action: 'password', email: 'ann@shop.example' }, 'another lantern of moss')
    const [after] = await store.db.select().from(users)
    expect(await verifyPassword(after?.passwordHash ?? null, 'another lantern of moss')).toBe(true)
    expect((await store.db.select().from(sessions))[0]?.endedAt).not.toBeNull()
    expect((await run({ action: 'list' }))[0]).toMatch(/^ann@shop\.example {2}admin {2}default {2}active/u)
    expect(await verifyChain(store.db)).toMatchObject({ holds: true, count: 2 })
  })

  it.each<[UserRequest, string, RegExp]>([
    [
      { action: 'add', email: 'ann@shop.example', role: 'viewer' },
      password,
      /already an account for ann@shop\.example/u,
    ],
    [{ action: 'add', email: 'bo@shop.example', role: 'viewer' }, 'password', /too common/u],
    [{ action: 'add', email: 'bo@shop.example', role: 'owner' }, password, /role/u],
    [{ action: 'add', email: 'bo', role: 'viewer' }, password, /not an e-mail address/u],
    [{ action: 'add', email: 'bo@shop.example', role: 'viewer', merchant: 'x' }, password, /no merchant x/u],
    [{ action: 'password', email: 'nobody@shop.example' }, password, /no account/u],
    [{ action: 'disable', email: 'ann@shop.example' }, password, /last admin/u],
    [{ action: 'role', email: 'ann@shop.example', role: 'viewer' }, password, /last admin/u],
  ])('says in one line why not: %o', async (request, typed, words) => {
    await expect(run(request, typed)).rejects.toThrow(words)
    expect(await store.db.$count(users)).toBe(1)
  })

  it('closes an account and opens it again, once there is another admin', async () => {
    await run({ action: 'add', email: 'bo@shop.example', role: 'admin' })
    await run({ action: 'disable', email: 'ann@shop.example' })
    expect((await run({ action: 'list' }))[0]).toContain('disabled')
    await run({ action: 'enable', email: 'ann@shop.example' })
    expect((await run({ action: 'list' }))[0]).toContain('active')
  })
})

describe('an account of two merchants', () => {
  const other = { merchant: 'm-north' }
  beforeAll(async () => {
    await store.db.insert(connections).values({ connectionId: 'm-north', name: 'North' })
    await run({ action: 'add', email: 'cy@shop.example', role: 'viewer' })
    await run({ action: 'role', email: 'cy@shop.example', role: 'admin', ...other })
  })

  it('is not closed as the last admin of either, whichever is named, and the other is told', async () => {
    for (const named of [{}, { merchant: 'default' }, other])
      await expect(run({ action: 'disable', email: 'cy@shop.example', ...named })).rejects.toThrow(
        'cy@shop.example is the last admin of North (m-north). Add another first.',
      )
    const [cy] = await store.db.select().from(users).where(eq(users.email, 'cy@shop.example'))
    expect(cy?.disabledAt).toBeNull()
  })

  it('keeps its role there too, while nobody else who can sign in has it', async () => {
    const [bo] = await store.db.select().from(users).where(eq(users.email, 'bo@shop.example'))
    await store.db.insert(memberships).values({ connectionId: 'm-north', userId: bo?.id ?? '', role: 'admin' })
    await run({ action: 'disable', email: 'bo@shop.example' })
    await expect(run({ action: 'role', email: 'cy@shop.example', role: 'viewer', ...other })).rejects.toThrow('North')
    await expect(run({ action: 'disable', email: 'cy@shop.example' })).rejects.toThrow('North')
    await run({ action: 'enable', email: 'bo@shop.example' })
    await run({ action: 'disable', email: 'cy@shop.example' })
  })

  it('is taken out of one team and stays in the other, but never as its last admin', async () => {
    await run({ action: 'enable', email: 'cy@shop.example' })
    await run({ action: 'role', email: 'bo@shop.example', role: 'viewer', ...other })
    await expect(run({ action: 'remove', email: 'cy@shop.example', ...other })).rejects.toThrow('last admin of North')
    await run({ action: 'role', email: 'bo@shop.example', role: 'admin', ...other })
    expect(await run({ action: 'remove', email: 'cy@shop.example', ...other })).toEqual([
      'cy@shop.example is no longer in the team of m-north.',
    ])
    expect((await run({ action: 'list' })).filter((line) => line.startsWith('cy@'))).toEqual([
      expect.stringContaining('default'),
    ])
    await expect(run({ action: 'remove', email: 'cy@shop.example', ...other })).rejects.toThrow('not in the team')
    await run({ action: 'role', email: 'cy@shop.example', role: 'admin', ...other })
    await run({ action: 'disable', email: 'cy@shop.example' })
  })

  it('is closed where the merchant was disconnected', async () => {
    await store.db.update(connections).set({ removedAt: new Date() }).where(eq(connections.connectionId, 'm-north'))
    await run({ action: 'enable', email: 'cy@shop.example' })
    await run({ action: 'disable', email: 'bo@shop.example' })
    await run({ action: 'disable', email: 'cy@shop.example' })
    const [cy] = await store.db.select().from(users).where(eq(users.email, 'cy@shop.example'))
    expect(cy?.disabledAt).not.toBeNull()
  })
})

it('a role for an account that was left behind lets nobody in who knew it before', async () => {
  await run({ action: 'add', email: 'di@shop.example', role: 'viewer' })
  await run({ action: 'remove', email: 'di@shop.example' })
  const isOpen =
    'The account was in no team: its password and second factors are removed. Set a password with `npm run user -- password di@shop.example`.'
  expect(await run({ action: 'role', email: 'di@shop.example', role: 'viewer' })).toEqual([
    `di@shop.example is viewer at default. ${isOpen}`,
  ])
  expect((await run({ action: 'list' })).find((line) => line.startsWith('di@'))).toContain('no password')
  await run({ action: 'password', email: 'di@shop.example' }, 'another lantern of moss')
  expect(await run({ action: 'role', email: 'di@shop.example', role: 'support' })).toEqual([
    'di@shop.example is support at default.',
  ])
})

it('a role for a disabled account is said to be of none yet', async () => {
  await run({ action: 'disable', email: 'di@shop.example' })
  expect(await run({ action: 'role', email: 'di@shop.example', role: 'viewer' })).toEqual([
    'di@shop.example is viewer at default. It is disabled until `npm run user -- enable di@shop.example`.',
  ])
  await run({ action: 'enable', email: 'di@shop.example' })
})

it('what is done to a whole account is in the log of each of its merchants, which learn of no other', async () => {
  await store.db.insert(connections).values({ connectionId: 'm-south', name: 'South' })
  const named = { email: 'ed@shop.example', merchant: 'm-south' }
  await run({ action: 'add', email: named.email, role: 'viewer' })
  await run({ action: 'role', role: 'viewer', ...named })
  await run({ action: 'password', ...named }, 'another lantern of moss')
  for (const action of ['reset-factor', 'disable', 'enable'] as const) await run({ action, ...named })
  const rows = await store.db.select().from(activity).where(eq(activity.objectId, named.email))
  const whole = ['user.password-set', 'user.factor-reset', 'user.disabled', 'user.enabled']
  const at = (connectionId: string) => rows.filter((row) => row.connectionId === connectionId)
  expect(at('default').map(({ action }) => action)).toEqual(['user.added', ...whole])
  expect(at('m-south').map(({ action }) => action)).toEqual(['user.role-changed', ...whole])
  expect(JSON.stringify(at('default'))).not.toContain('m-south')
})

it('takes nobody into the team of a removed merchant, or out of it', async () => {
  await store.db.insert(connections).values({ connectionId: 'm-gone', name: 'Gone', removedAt: new Date() })
  const named = { email: 'ed@shop.example', merchant: 'm-gone' }
  for (const request of [
    { action: 'add', role: 'admin', ...named, email: 'flo@shop.example' },
    { action: 'role', role: 'admin', ...named },
    { action: 'remove', ...named },
  ] as const)
    await expect(run(request)).rejects.toThrow('The merchant m-gone was removed.')
  expect(await store.db.$count(memberships, eq(memberships.connectionId, 'm-gone'))).toBe(0)
})

it('a closed account has asked for no reset of a factor any more', async () => {
  const [ed] = await store.db.select().from(users).where(eq(users.email, 'ed@shop.example'))
  const [ann] = await store.db.select().from(users).where(eq(users.email, 'ann@shop.example'))
  const asked = { userId: ann?.id ?? '', connectionId: 'default', requestedBy: ed?.id ?? '' }
  await store.db.insert(factorResets).values({ ...asked, expiresAt: new Date(Date.now() + 60_000) })
  await run({ action: 'disable', email: 'ed@shop.example' })
  expect(await store.db.$count(factorResets)).toBe(0)
})

it('who is no admin any more has asked for no reset of a factor', async () => {
  const [di] = await store.db.select().from(users).where(eq(users.email, 'di@shop.example'))
  const [ann] = await store.db.select().from(users).where(eq(users.email, 'ann@shop.example'))
  const asked = { userId: ann?.id ?? '', connectionId: 'default', requestedBy: di?.id ?? '' }
  await store.db.insert(factorResets).values({ ...asked, expiresAt: new Date(Date.now() + 60_000) })
  await run({ action: 'role', email: 'di@shop.example', role: 'viewer' })
  expect(await store.db.$count(factorResets)).toBe(0)
})

it('changes nothing that cannot be logged', async () => {
  await store.db.execute(sql`create function fail() returns trigger language plpgsql as $$ begin raise 'full'; end $$`)
  await store.db.execute(sql`create trigger fail before insert on activity for each row execute function fail()`)
  const before = await run({ action: 'list' })
  for (const request of [
    { action: 'add', email: 'gus@shop.example', role: 'viewer' },
    { action: 'enable', email: 'ed@shop.example' },
    { action: 'role', email: 'di@shop.example', role: 'admin' },
    { action: 'remove', email: 'di@shop.example' },
    { action: 'disable', email: 'di@shop.example' },
  ] as const)
    await expect(run(request)).rejects.toThrow('insert into "activity"')
  await store.db.execute(sql`drop function fail() cascade`)
  expect(await run({ action: 'list' })).toEqual(before)
})

describe('the command itself', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'debitdesk-user-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  function call(args: string[], input: string): Promise<{ code: number | null; said: string }> {
    const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: '' }
    const child = spawn(process.execPath, ['scripts/run-program.mjs', 'lib/server/team/run-user-command.ts', ...args], {
      env,
    })
    let said = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stderr.on('data', (chunk) => (said += chunk))
    child.stdin.end(input)
    return new Promise((resolve) => {
      child.on('close', (code) => resolve({ code, said }))
    })
  }

  it('takes the password from standard input', async () => {
    await copyMigratedFolder(join(folder, 'desk'), storeMigrations)
    const added = await call(['add', 'ann@shop.example', '--role', 'admin'], `${password}\n`)
    expect(added).toEqual({ code: 0, said: 'ann@shop.example may sign in as admin.\n' })
  })

  it('says so while the desk is running, and how it is called', async () => {
    const lock = await lockFolder(join(folder, 'desk'))
    const refused = await call(['list'], '')
    expect(refused).toEqual({ code: 1, said: expect.stringMatching(/^The dashboard is running \(process \d+\)/u) })
    await lock.release()
    expect((await call(['add', 'x', 'y', 'z'], '')).said).toContain('npm run user -- add')
    expect(await call(['--help'], '')).toEqual({ code: 0, said: expect.stringContaining('npm run user -- add') })
  })
})
