import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiTokens, ENDED_TOKEN_DAYS } from '../store/api-token-schema'
import { sweepExpired } from '../store/retention'
import { TokenDesk } from '../testing/token-desk'

let desk: TokenDesk

beforeAll(async () => {
  desk = await TokenDesk.start()
})
afterAll(() => desk.stop())

describe('making a token', () => {
  const make = (cookie: string, body: Record<string, unknown>) =>
    desk.ask('POST', '/api/desk/tokens', { cookie, body: { name: 'x', role: 'viewer', days: 7, ...body } })

  it('needs a proof of the last minutes, and no token makes another', async () => {
    const { cookie } = await desk.addPerson('proven', 'admin')
    const { token } = await desk.makeToken(cookie, 'admin')
    await desk.db.execute(sql`update sessions set proven_at = now() - interval '6 minutes'`)
    expect((await make(cookie, {})).code).toBe('step-up')
    await desk.db.execute(sql`update sessions set proven_at = now()`)
    const given = { name: 'y', role: 'viewer', days: 7 }
    expect((await desk.ask('POST', '/api/desk/tokens', { token, body: given })).code).toBe('token-not-accepted')
  })

  it('gives no role that its person lacks', async () => {
    const { cookie } = await desk.addPerson('modest', 'support')
    expect((await make(cookie, { role: 'admin' })).body.errors).toEqual({
      role: ['must not be more than your own role'],
    })
    expect((await make(cookie, { role: 'support' })).status).toBe(201)
  })

  let refused: string
  beforeAll(async () => {
    refused = (await desk.addPerson('refused', 'admin')).cookie
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['without a name', { name: '  ' }, 'name'],
    ['with a name that could pass for another in the log', { name: 'x” of admin@example.com' }, 'name'],
    ['with invisible signs in its name', { name: 'night\u{200B}ly' }, 'name'],
    ['with a name that is too long', { name: 'x'.repeat(61) }, 'name'],
    ['without an end', { days: null }, 'days'],
    ['for longer than there is a choice of', { days: 366 }, 'days'],
    ['with an unknown role', { role: 'owner' }, 'role'],
    ['with another’s merchant', { connectionId: 'm-other' }, 'connectionId'],
  ])('is refused %s', async (_, body, field) => {
    const { status, body: told } = await make(refused, body)
    expect([status, Object.keys(told.errors ?? {})]).toEqual([400, [field]])
  })

  it('is refused twice by the same name, until the first is revoked', async () => {
    const { cookie } = await desk.addPerson('twice', 'viewer')
    const first = await make(cookie, { name: 'same' })
    expect((await make(cookie, { name: 'same' })).code).toBe('bad-request')
    const { id } = first.body.token as { id: string }
    await desk.ask('DELETE', `/api/desk/tokens/${id}`, { cookie })
    expect((await make(cookie, { name: 'same' })).status).toBe(201)
  })

  it('is not done twice by two requests at once, and not beyond twenty', async () => {
    const { cookie } = await desk.addPerson('eager', 'viewer')
    const made = await Promise.all(Array.from({ length: 25 }, (_, at) => make(cookie, { name: `token ${at}` })))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(new Set(made.filter(({ status }) => status !== 201).map(({ code }) => code))).toEqual(
      new Set(['not-possible']),
    )
  })
})

it('tokens that have ended are listed for a while, then deleted; the activity log keeps them', async () => {
  const { cookie } = await desk.addPerson('tidy', 'viewer')
  await desk.makeToken(cookie, 'viewer', 'old')
  await desk.db.execute(sql`update api_tokens set expires_at = now() - interval '29 days' where name = 'old'`)
  const listed = async () => (await desk.ask('GET', '/api/desk/tokens', { cookie })).body.tokens as { state: string }[]
  const keep = { bulks: 90, imports: 90, exports: 1 }
  await sweepExpired(desk.db, keep)
  expect((await listed()).map(({ state }) => state)).toEqual(['expired'])
  await desk.db
    .update(apiTokens)
    .set({ expiresAt: sql`now() - ${ENDED_TOKEN_DAYS + 1}::float8 * interval '1 day'` })
    .where(sql`name = 'old'`)
  expect(await listed()).toEqual([])
  await sweepExpired(desk.db, keep)
  expect(await desk.db.$count(apiTokens, sql`name = 'old'`)).toBe(0)
})
