import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database, OpenDatabase } from '@/lib/database/database'
import { openDatabase } from '@/lib/database/open-database'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { flushRefusedSignIns } from '../activity-log/refused-sign-ins'
import { addFactor, beginOwnPasskey, removeFactor, renewRecoveryCodes } from '../second-factor/factors'
import { askForPasskey } from '../second-factor/passkeys'
import { proveFactor } from '../second-factor/prove-factor'
import { makeRecoveryCodes } from '../second-factor/recovery-codes'
import { authenticators } from '../store/factor-schema'
import { connections, defaultConnectionId, memberships, sessions, users } from '../store/schema'
import { storeMigrations } from '../store/store'
import { endMembership, inviteUser, removeMember, startAnew } from '../team/commands'
import { acceptLink, makePasswordLink } from '../team/password-links'
import { testSecret } from '../testing/auth-fixture'
import { SoftwarePasskey } from '../testing/software-passkey'
import { makeDatabase } from '../testing/store-fixture'
import { signInByProvider } from './openid-sign-in'
import { endOwnSessions } from './own-sessions'
import type { Session } from './session'
import { readLiveSession, startSession } from './sessions'
import { signIn, signInWithPasskey } from './sign-in'
import { changeOwnPassword } from './step-up'
import { createTenantScope } from './tenant-scope'
import { changePassword, createUser, disableUser, endSessionsOf, findAccount, lockAccount } from './users'

/* Two desks on one Postgres: what begins at one while the other takes it away. */

const password = 'moss-covered lantern'
const other = 'nine violet ferries'
const peer = '192.0.2.1'

let postgres: TestPostgres
let desk: OpenDatabase
let otherDesk: OpenDatabase

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  // Passkeys need a host name.
  Object.assign(process.env, { NEXTAUTH_SECRET: testSecret, NEXTAUTH_URL: 'http://localhost:3000' })
  postgres = await startPostgres()
  const url = await makeDatabase(postgres.url)
  desk = await openDatabase({ url, migrationsFolder: storeMigrations })
  otherDesk = await openDatabase({ url, migrationsFolder: storeMigrations })
  globalThis.debitdeskStore = Promise.resolve(desk)
  await desk.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test merchant' })
})
afterAll(async () => {
  await desk.close()
  await otherDesk.close()
  await postgres.stop()
})

type Person = { id: string; email: string }
let person: Person
let people = 0

async function addPerson(role: 'admin' | 'support' = 'support', connectionId = defaultConnectionId): Promise<Person> {
  people += 1
  const email = `person${people}@example.com`
  return { id: await createUser(desk.db, { email, password, role, connectionId }), email }
}

beforeEach(async () => {
  person = await addPerson()
})

/** Waits until this many others wait for a lock. Asked in the transaction that holds it, which would end if it were idle. */
const untilWaiting = (tx: Database, count: number) =>
  vi.waitFor(
    async () =>
      expect(await tx.$count(sql`(select distinct pid from pg_locks where not granted) as waiting`)).toBe(count),
    { timeout: 9_000, interval: 20 },
  )

/** Does `work` in a transaction of the other desk, which commits once `meanwhile` has run into it and waits. */
async function holdWhile<Result>(
  work: (tx: Database) => Promise<unknown>,
  meanwhile: () => Promise<Result>,
): Promise<PromiseSettledResult<Result>> {
  // What was refused before is written later, and would wait for a lock too.
  await flushRefusedSignIns()
  let settled: Promise<PromiseSettledResult<Result>[]> | undefined
  await otherDesk.db.transaction(async (tx) => {
    await work(tx)
    settled = Promise.allSettled([meanwhile()])
    await untilWaiting(tx, 1)
  })
  const [result] = (await settled) ?? []
  if (!result) throw new Error('nothing ran meanwhile')
  return result
}

/** `first` waits with its rows written, for the lock of the activity log (append.ts); then `second` runs, and both end. */
async function halfway<First, Second>(first: () => Promise<First>, second: () => Promise<Second>) {
  await flushRefusedSignIns()
  let both: Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> | undefined
  await otherDesk.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(4217002)`)
    const begun = first()
    await untilWaiting(tx, 1)
    both = Promise.allSettled([begun, second()])
    await untilWaiting(tx, 2)
  })
  return (await both) ?? []
}

/** Whether `change` waits for a row of this sign-in, which somebody is just changing, without the lock of the activity log. */
async function leavesLogFree(sessionId: string, change: () => Promise<unknown>): Promise<boolean> {
  let settled: Promise<unknown> | undefined
  const isFree = await otherDesk.db.transaction(async (tx) => {
    await tx
      .update(sessions)
      .set({ lastSeenAt: new Date(0) })
      .where(eq(sessions.id, sessionId))
    settled = Promise.allSettled([change()])
    await untilWaiting(tx, 1)
    const isLogFree = sql<boolean>`pg_try_advisory_xact_lock(4217002)`
    return (await tx.select({ isLogFree }).from(sql`(select 1) as one`))[0]?.isLogFree
  })
  await settled
  return isFree === true
}

const enter = (given = password) => signIn(desk.db, { email: person.email, password: given, peer }, null, new Date())

const countOpen = async ({ id }: Person) => {
  const rows = await desk.db.select().from(sessions).where(eq(sessions.userId, id))
  return rows.filter(({ endedAt }) => endedAt === null).length
}

const nobody = { status: 'fulfilled', value: null }

async function begin({ id, email }: Person): Promise<Session> {
  const sessionId = await startSession(desk.db, id, new Date())
  return { sessionId, userId: id, email, role: 'support', scope: createTenantScope(defaultConnectionId) }
}

/** What ends an account's sign-ins, as a transaction of its own. */
const endings: [what: string, end: (db: Database) => Promise<unknown>, isForGood: boolean][] = [
  ['a changed password', (db) => changePassword(db, person, other, new Date()), true],
  ['a disabled account', (db) => disableUser(db, person.id, new Date()), true],
  ['an end of all sign-ins', (db) => db.transaction((tx) => endSessionsOf(tx, person.id, new Date())), false],
]

describe('a sign-in that was verified before', () => {
  it.each(endings.filter(([, , isForGood]) => isForGood))('does not begin after %s', async (_, end) => {
    expect(await holdWhile(end, () => enter())).toEqual(nobody)
    expect(await countOpen(person)).toBe(0)
  })

  it.each(endings)('is ended by %s where it began just before', async (_, end) => {
    const [begun] = await halfway(enter, () => end(otherDesk.db))
    expect(begun).toMatchObject({ status: 'fulfilled', value: { sub: person.id } })
    expect(await countOpen(person)).toBe(0)
  })

  it('does not begin after the end of the membership', async () => {
    const leave = (tx: Database) =>
      lockAccount(tx, person.id).then(() => tx.delete(memberships).where(eq(memberships.userId, person.id)))
    expect(await holdWhile(leave, () => enter())).toEqual(nobody)
  })

  it('goes on where only the parameters of the hash were renewed, by two at once', async () => {
    const { hash } = await import('@node-rs/argon2')
    const old = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    await desk.db.update(users).set({ passwordHash: old }).where(eq(users.id, person.id))
    const both = await Promise.all([enter(), enter()])
    expect(both).toMatchObject([{ sub: person.id }, { sub: person.id }])
    expect((await findAccount(desk.db, person.email))?.passwordHash).not.toBe(old)
  })

  it('by the OpenID provider does not begin after the account was disabled', async () => {
    const claims = { iss: 'https://login.example', sub: randomUUID() }
    const arrive = () =>
      signInByProvider(
        desk.db,
        { claims, roles: new Map([[defaultConnectionId, 'support']]), peer, previous: null },
        new Date(),
        async () => undefined,
      )
    const first = await arrive()
    if (typeof first === 'string') throw new Error(first)
    const disable = (tx: Database) => disableUser(tx, first.sub, new Date())
    expect(await holdWhile(disable, arrive)).toEqual({ status: 'fulfilled', value: 'Disabled' })
    expect(await countOpen({ id: first.sub, email: '' })).toBe(0)
  })

  it('by a passkey does not begin after it was removed', async () => {
    const session = { ...(await begin(person)), due: null, needsFactor: false }
    const passkey = new SoftwarePasskey()
    const { challenge } = await beginOwnPasskey(desk.db, session, new Date())
    const factor = { kind: 'passkey', name: 'Key', response: passkey.create(challenge) } as const
    const { added } = await addFactor(desk.db, session, factor, new Date())
    const asked = await askForPasskey(desk.db, null, new Date())
    const given = { answer: JSON.stringify(passkey.get(asked.challenge)), peer, deviceCookie: undefined }
    const remove = (tx: Database) => removeFactor(tx, session, added.authenticatorId, new Date())
    expect(await holdWhile(remove, () => signInWithPasskey(desk.db, given, null, new Date()))).toEqual(nobody)
    expect(await countOpen(person)).toBe(1)
  })
})

describe('a sign-in that goes on under a new id', () => {
  const others: typeof endings = [
    ...endings,
    ['the end of all others', async () => endOwnSessions(await begin(person), null), false],
  ]
  it.each(others)('is ended by %s all the same', async (_, end) => {
    const factor = { id: randomUUID(), userId: person.id, kind: 'passkey', name: 'Key' } as const
    await desk.db.insert(authenticators).values({ ...factor, createdAt: new Date(), confirmedAt: new Date() })
    const [code = ''] = await makeRecoveryCodes(desk.db, person.id)
    const pending = await begin(person)
    const [proven] = await halfway(
      () => proveFactor(desk.db, pending, { recoveryCode: code }, { peer, device: null }, new Date()),
      () => end(otherDesk.db),
    )
    if (proven?.status !== 'fulfilled') throw new Error('the factor was not proven')
    const claims = { sub: person.id, sid: proven.value }
    expect(await readLiveSession(desk.db, claims, new Date())).toBeNull()
  })
})

describe('the activity log is written last, or two transactions would wait for each other', () => {
  /** As many sign-ins as one may have, and the one that is replaced. */
  const fill = async (userId: string) => {
    const times = Array.from({ length: 21 }, (_, place) => new Date(place + 1))
    const rows = times.map((at) => ({ id: randomUUID(), userId, createdAt: at, lastSeenAt: at, provenAt: at }))
    await desk.db.insert(sessions).values(rows)
    return { oldest: rows[0]?.id ?? '', previous: { sub: userId, sid: rows[20]?.id ?? '' } }
  }

  it('by a sign-in that replaces one and ends the oldest', async () => {
    const { oldest, previous } = await fill(person.id)
    const given = { email: person.email, password, peer }
    expect(await leavesLogFree(oldest, () => signIn(desk.db, given, previous, new Date()))).toBe(true)
  })

  it('by a sign-in of the OpenID provider that does', async () => {
    const claims = { iss: 'https://login.example', sub: randomUUID() }
    const roles = new Map([[defaultConnectionId, 'support' as const]])
    const arrive = (previous: { sub: string; sid: string } | null) =>
      signInByProvider(desk.db, { claims, roles, peer, previous }, new Date(), async () => undefined)
    const first = await arrive(null)
    if (typeof first === 'string') throw new Error(first)
    const { oldest, previous } = await fill(first.sub)
    expect(await leavesLogFree(oldest, () => arrive(previous))).toBe(true)
  })

  it('by new recovery codes', async () => {
    const factor = { id: randomUUID(), userId: person.id, kind: 'passkey', name: 'Key' } as const
    await desk.db.insert(authenticators).values({ ...factor, createdAt: new Date(), confirmedAt: new Date() })
    const session = { ...(await begin(person)), due: null, needsFactor: false }
    await desk.db.update(sessions).set({ factor: 'passkey' }).where(eq(sessions.id, session.sessionId))
    const { sessionId } = await begin(person)
    expect(await leavesLogFree(sessionId, () => renewRecoveryCodes(desk.db, session, new Date()))).toBe(true)
  })
})

describe('one’s own password', () => {
  const change = (session: Session, next: string) =>
    changeOwnPassword(session, { current: password, password: next, peer })

  it('changed in two tabs at once is changed in one', async () => {
    const session = await begin(person)
    let both: Promise<PromiseSettledResult<void>[]> | undefined
    await otherDesk.db.transaction(async (tx) => {
      await lockAccount(tx, person.id)
      both = Promise.allSettled([change(session, other), change(session, 'seven quiet harbours')])
      await untilWaiting(tx, 2)
    })
    const results = (await both) ?? []
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
    const kept = results[0]?.status === 'fulfilled' ? other : 'seven quiet harbours'
    expect(await enter(kept)).not.toBeNull()
  })

  it('is not changed by a sign-in that a new password has ended', async () => {
    const thief = await begin(person)
    const result = await holdWhile(
      (tx) => changePassword(tx, person, other, new Date()),
      () => change(thief, 'seven quiet harbours'),
    )
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'signed-out' } })
    expect(await enter(other)).not.toBeNull()
  })

  it('is not changed by a link that was just ended by a change of it', async () => {
    const link = await makePasswordLink(
      desk.db,
      { user: person, kind: 'reset', madeBy: 'boss@example.com' },
      new Date(),
    )
    const secret = link.address?.split('#')[1] ?? ''
    const [changed, accepted] = await halfway(
      async () => change(await begin(person), other),
      () => acceptLink(otherDesk.db, { secret, password: 'seven quiet harbours' }, new Date()),
    )
    expect(changed).toMatchObject({ status: 'fulfilled' })
    expect(accepted).toMatchObject({ status: 'rejected', reason: { code: 'not-found' } })
  })
})

describe('an account that is left behind and invited', () => {
  /** Another merchant of an admin's, who may invite the account there. */
  async function administerNorth() {
    const boss = await addPerson('admin')
    const connectionId = `m-${people}`
    await desk.db.insert(connections).values({ connectionId, name: connectionId })
    await desk.db.insert(memberships).values({ connectionId, userId: boss.id, role: 'admin' })
    return { connectionId, boss: await begin(boss) }
  }

  it('is not signed in to by whoever was just proving its earlier password', async () => {
    const { connectionId } = await administerNorth()
    const takeIn = async (tx: Database) => {
      await endMembership(tx, defaultConnectionId, person.id, new Date())
      await startAnew(tx, person.id, new Date())
      await tx.insert(memberships).values({ connectionId, userId: person.id, role: 'viewer' })
    }
    expect(await holdWhile(takeIn, enter)).toEqual(nobody)
    expect(await countOpen(person)).toBe(0)
  })

  it('gets no password by an earlier link that is used at the same moment, whoever is first', async () => {
    for (const isInvitedFirst of [true, false]) {
      person = await addPerson()
      const { connectionId, boss } = await administerNorth()
      await removeMember(boss, person.id)
      const atNorth = { ...boss, scope: createTenantScope(connectionId) }
      const link = await makePasswordLink(desk.db, { user: person, kind: 'reset', madeBy: 'x@example.com' }, new Date())
      const secret = link.address?.split('#')[1] ?? ''
      const accept = () => acceptLink(desk.db, { secret, password: other }, new Date())
      const invite = () => inviteUser(atNorth, { email: person.email, role: 'viewer' })
      await (isInvitedFirst ? halfway(invite, accept) : halfway(accept, invite))
      const [row] = await desk.db.select().from(users).where(eq(users.id, person.id))
      expect(row?.passwordHash).toBeNull()
      expect(await enter(other)).toBeNull()
    }
  })
})
