import { describe, expect, it } from 'vitest'
import { readSessionFrom } from './session'
import { activity } from './store/schema'
import { AuthClient } from './testing/auth-client'
import { AuthDesk, sessionCookie, supporter } from './testing/auth-desk'

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
    await client.signOut()
    await client.signOut()
    const rows = await desk.db.select().from(activity).orderBy(activity.sequence).offset(before)
    expect(rows.map(({ actor, action, details }) => ({ actor, action, details }))).toEqual([
      { actor: email, action: 'session.started', details: { from: '192.0.2.1' } },
      { actor: email, action: 'session.refused', details: { from: '192.0.2.99' } },
      { actor: 'unknown', action: 'session.refused', details: { from: '192.0.2.1' } },
      { actor: email, action: 'session.ended', details: {} },
    ])
    expect(JSON.stringify(rows)).not.toContain('canary')
    expect(rows[3]?.objectId).toBe(rows[0]?.objectId)
  })
})

describe('guessing', () => {
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
