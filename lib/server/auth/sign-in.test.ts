import { hash } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { recordRefusedSignIn, flushRefusedSignIns } from '../activity-log/refused-sign-ins'
import { readSessionFrom } from './session'
import { activity, connections, memberships, users } from '../store/schema'
import { AuthClient, AuthDesk, sessionCookie, supporter } from '../testing/auth-fixture'

const { email, password } = supporter
const desk = new AuthDesk()

describe('signing out', () => {
  it('ends the row at once, so that a copied cookie is worth nothing', async () => {
    const client = await desk.signIn()
    const copy = client.cookies.get(sessionCookie)
    expect(await readSessionFrom(copy)).not.toBeNull()
    expect((await client.signOut()).status).toBe(200)
    expect(client.cookies.has(sessionCookie)).toBe(false)
    expect(await readSessionFrom(copy)).toBeNull()
    const thief = new AuthClient()
    thief.cookies.set(sessionCookie, copy ?? '')
    expect(await (await thief.send('GET', 'session')).json()).toEqual({})
  })

  it('has no effect by GET, without the token or from another origin', async () => {
    const client = await desk.signIn()
    expect((await client.send('GET', 'signout')).headers.get('location')).toBe('/')
    await client.send('POST', 'signout', { body: { json: 'true' } })
    expect((await client.post('signout', {}, { headers: { origin: 'https://evil.test' } })).status).toBe(403)
    expect(await desk.readSession(client)).not.toBeNull()
  })
})

describe('the activity log', () => {
  it('tells of signing in, of refusals and of signing out, and repeats no password', async () => {
    const before = await desk.db.$count(activity)
    const client = await desk.signIn()
    await new AuthClient('192.0.2.99').signIn(email, 'canary guess')
    await new AuthClient().signIn('canary typed into the wrong field', 'x')
    await flushRefusedSignIns()
    await client.signOut()
    await client.signOut()
    const rows = await desk.db.select().from(activity).orderBy(activity.sequence).offset(before)
    expect(rows).toMatchObject([
      { actor: email, action: 'session.started', details: { from: '192.0.2.1', outcome: 'done' } },
      { actor: email, action: 'session.refused', details: { from: '192.0.2.99', outcome: 'refused' } },
      { actor: 'unknown', action: 'session.refused', details: { from: '192.0.2.1', outcome: 'refused' } },
      { actor: email, action: 'session.ended', details: { outcome: 'done' } },
    ])
    expect(rows).toHaveLength(4)
    for (const { details } of rows) expect(details).toHaveProperty('request.requestId')
    expect(JSON.stringify(rows)).not.toContain('canary')
    expect(rows[3]?.objectId).toBe(rows[0]?.objectId)
  })

  it('is written to when a refusal has long been answered, so that its time does not tell who has an account (SE-13)', async () => {
    const write = vi.spyOn(desk.db, 'transaction')
    const before = await desk.db.$count(activity)
    await new AuthClient('192.0.2.98').signIn(email, 'a guess')
    write.mockClear()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(write).not.toHaveBeenCalled()
    expect(await desk.db.$count(activity)).toBe(before)
    while ((await desk.db.$count(activity)) === before) await new Promise((resolve) => setTimeout(resolve, 50))
  })

  it('tells it to the merchants whose people they are, and to no other', async () => {
    const tables = { one: 'm-one', other: 'm-other', removed: 'm-removed' }
    for (const connectionId of Object.values(tables)) {
      const removedAt = connectionId === tables.removed ? new Date() : null
      await desk.db.insert(connections).values({ connectionId, name: connectionId, removedAt })
    }
    const userId = await desk.addUser('theirs@example.com', 'support')
    await desk.db.delete(memberships).where(eq(memberships.userId, userId))
    for (const connectionId of Object.values(tables))
      await desk.db.insert(memberships).values({ connectionId, userId, role: 'support' })
    const before = await desk.db.$count(activity)
    await new AuthClient().signIn('theirs@example.com', 'a wrong guess')
    await flushRefusedSignIns()
    await (await desk.signIn('theirs@example.com')).signOut()
    for (let guess = 0; guess < 11; guess += 1) await new AuthClient().signIn('theirs@example.com', `wrong ${guess}`)
    await flushRefusedSignIns()
    const rows = await desk.db.select().from(activity).orderBy(activity.sequence).offset(before)
    const told = (of: string) => rows.filter(({ connectionId }) => connectionId === of).map(({ action }) => action)
    const guessed = Array.from({ length: 10 }, () => 'session.refused')
    const all = ['session.refused', 'session.started', 'session.ended', ...guessed, 'session.locked-out']
    expect(told(tables.one)).toEqual(all)
    expect(told(tables.other)).toEqual(all)
    expect(rows).toHaveLength(2 * all.length)
  })
})

describe('a stranger who keeps guessing', () => {
  const rowsSince = (before: number) => desk.db.select().from(activity).orderBy(activity.sequence).offset(before)

  it('cannot write the activity log full by made-up names: 20 rows, one for the lock-out, and one that sums up', async () => {
    const before = await desk.db.$count(activity)
    for (let guess = 0; guess < 120; guess += 1)
      await new AuthClient('203.0.113.77').signIn(`made-up-${guess}@example.com`, 'x')
    await flushRefusedSignIns()
    expect((await rowsSince(before)).map(({ action }) => action)).toEqual([
      ...Array.from({ length: 20 }, () => 'session.refused'),
      'session.locked-out',
    ])
    await flushRefusedSignIns({ summed: true })
    const rows = await rowsSince(before)
    expect(rows).toHaveLength(22)
    expect(rows.at(-1)).toMatchObject({
      actor: 'unknown',
      action: 'session.refused-more',
      details: { count: 99, minutes: 15, from: { '203.0.113.77': 99 }, outcome: 'refused' },
    })
  })

  it('cannot by changing addresses either, of which a network of IPv6 is one, and takes no room from known accounts', async () => {
    const before = await desk.db.$count(activity)
    for (let guess = 0; guess < 60; guess += 1)
      await new AuthClient(`2001:db8:0:${(guess % 30).toString(16)}::${guess}`).signIn(
        `other-${guess}@example.com`,
        'x',
      )
    for (let guess = 0; guess < 12; guess += 1) await new AuthClient(`198.51.100.${guess}`).signIn(email, 'wrong')
    await flushRefusedSignIns({ summed: true })
    const rows = await rowsSince(before)
    const counted = rows.filter(({ action }) => action === 'session.refused-more')
    expect(rows.filter(({ actor }) => actor === email).map(({ action }) => action)).toEqual([
      ...Array.from({ length: 10 }, () => 'session.refused'),
      'session.locked-out',
      'session.refused-more',
    ])
    expect(counted).toMatchObject([
      { actor: 'unknown', details: { count: 40, fromOthers: expect.any(Number) } },
      { actor: email, details: { count: 1, from: { '198.51.100.11': 1 } } },
    ])
    expect(Object.keys(Object(Object(counted[0]?.details).from))).toContain('2001:db8:0:14::/64')
    expect(rows).toHaveLength(20 + 11 + 2)
  })

  it('is counted only where the store is slower than whoever guesses', async () => {
    const before = await desk.db.$count(activity)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const slow = desk.db.transaction(() => held)
    for (let count = 0; count < 160; count += 1) {
      recordRefusedSignIn(desk.db, { at: new Date(), email, peer: '203.0.113.79' })
      if (count === 80) void flushRefusedSignIns()
    }
    release()
    await slow
    await flushRefusedSignIns({ summed: true })
    const counted = (await rowsSince(before)).filter(({ action }) => action === 'session.refused-more')
    expect(counted.map(({ actor, details }) => [actor, Object(details).count])).toEqual(
      expect.arrayContaining([
        [email, 80],
        ['unknown', 60],
      ]),
    )
  })

  it('is summed up once the 15 minutes are over, by the first refusal after them', async () => {
    const before = await desk.db.$count(activity)
    const start = Date.now()
    const guess = (minute: number) =>
      recordRefusedSignIn(desk.db, { at: new Date(start + minute * 60_000), email: null, peer: '203.0.113.78' })
    for (let count = 0; count < 25; count += 1) guess(0)
    guess(14)
    guess(15)
    await flushRefusedSignIns()
    await flushRefusedSignIns()
    const rows = await rowsSince(before)
    expect(rows.filter(({ action }) => action === 'session.refused')).toHaveLength(21)
    expect(rows.filter(({ action }) => action === 'session.refused-more')).toMatchObject([{ details: { count: 6 } }])
  })
})

describe('guessing', () => {
  it('beyond the limit is written down once, however often it is tried', async () => {
    const before = await desk.db.$count(activity)
    const name = 'locked@example.com'
    for (let guess = 0; guess < 14; guess += 1) await new AuthClient('203.0.113.5').signIn(name, `wrong ${guess}`)
    await vi.waitFor(async () => expect(await desk.db.$count(activity)).toBeGreaterThan(before + 10))
    const rows = await desk.db.select().from(activity).orderBy(activity.sequence).offset(before)
    expect(rows.map(({ action }) => action)).toEqual([
      ...Array.from({ length: 10 }, () => 'session.refused'),
      'session.locked-out',
    ])
    expect(rows.at(-1)).toMatchObject({ actor: name, details: { from: '203.0.113.5', outcome: 'refused' } })
  })

  it('is refused after ten wrong passwords, also with the right one, and known or not', async () => {
    for (const name of [email, 'nobody@example.com']) {
      for (let guess = 0; guess < 10; guess += 1)
        expect((await new AuthClient(`198.51.100.${guess}`).signIn(name, `wrong ${guess}`)).status).toBe(401)
      const refused = await new AuthClient('198.51.100.99').signIn(name, password)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
      expect((await refused.json()).type).toContain('too-many-attempts')
    }
  })

  it('of many passwords at the same moment checks ten', async () => {
    const guesses = Array.from({ length: 30 }, (_, guess) => new AuthClient().signIn(email, `wrong ${guess}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })
})

describe('a browser that somebody has signed in with', () => {
  const device = 'debitdesk.device'

  it('still lets its owner in while strangers guess, and nobody else', async () => {
    const client = await desk.signIn()
    const known = client.cookies.get(device) ?? ''
    expect(client.setCookies.find((line) => line.startsWith(device))).toMatch(
      /; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/u,
    )
    for (let guess = 0; guess < 12; guess += 1) await new AuthClient('203.0.113.9').signIn(email, `wrong ${guess}`)
    expect((await new AuthClient('198.51.100.7').signIn(email, password)).status).toBe(429)

    const own = new AuthClient('198.51.100.7')
    own.cookies.set(device, known)
    expect((await own.signIn(email, password)).status).toBe(200)
    // Strangers' attempts still count, and the cookie is worthless for another account.
    expect((await new AuthClient('203.0.113.9').signIn(email, 'wrong')).status).toBe(429)
    await desk.addUser('else@example.com', 'viewer')
    for (let guess = 0; guess < 12; guess += 1) await new AuthClient('203.0.113.9').signIn('else@example.com', 'wrong')
    const borrowed = new AuthClient('198.51.100.8')
    borrowed.cookies.set(device, known)
    expect((await borrowed.signIn('else@example.com', password)).status).toBe(429)
  })

  it('has ten guesses of its own; a forged or overlong cookie has none', async () => {
    const known = (await desk.signIn()).cookies.get(device) ?? ''
    const guess = async (cookie: string, peer: string) => {
      const client = new AuthClient(peer)
      client.cookies.set(device, cookie)
      return (await client.signIn(email, 'wrong')).status
    }
    for (let count = 0; count < 10; count += 1) expect(await guess(known, '198.51.100.7')).toBe(401)
    expect(await guess(known, '198.51.100.7')).toBe(429)
    const [id, issued, mac] = known.split('.')
    const forged = [
      `${'A'.repeat(22)}.${issued}.${mac}`,
      `${id}.${issued}.${'A'.repeat(43)}`,
      'x'.repeat(60_000),
      `${id}.`,
      '~~~',
    ]
    for (let count = 0; count < 10; count += 1) expect(await guess(forged[count % 5] ?? '', '198.51.100.9')).toBe(401)
    for (const cookie of forged) expect(await guess(cookie, '198.51.100.9')).toBe(429)
  })
})

describe('signing in', () => {
  it('takes a new session over one that was planted, which is worth nothing any more (SE-05)', async () => {
    await desk.addUser('planter@example.com', 'viewer')
    const planted = (await desk.signIn('planter@example.com')).cookies.get(sessionCookie) ?? ''
    const victim = new AuthClient()
    victim.cookies.set(sessionCookie, planted)
    await victim.signIn(email, password)
    expect(victim.cookies.get(sessionCookie)).not.toBe(planted)
    expect(await desk.readSession(victim)).toMatchObject({ email })
    expect(await readSessionFrom(planted)).toBeNull()
  })

  it('makes a hash of other parameters anew, and only then (SE-15)', async () => {
    const id = await desk.addUser('olden@example.com', 'viewer')
    const readHash = async () => (await desk.db.select().from(users).where(eq(users.id, id)))[0]?.passwordHash ?? ''
    const old = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    await desk.db.update(users).set({ passwordHash: old }).where(eq(users.id, id))
    await desk.signIn('olden@example.com')
    const renewed = await readHash()
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u)
    await desk.signIn('olden@example.com')
    expect(await readHash()).toBe(renewed)
  })

  it('with a megabyte for a password is refused before anything is hashed (SE-14)', async () => {
    expect((await new AuthClient().signIn(email, 'x'.repeat(1_000_000))).status).toBe(413)
    expect((await new AuthClient().signIn(email, 'x'.repeat(2_000))).status).toBe(401)
  })
})
