import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { defaultConnectionId } from '../store/schema'
import { AuthClient } from '../testing/auth-fixture'
import { setMemoryStore } from '../testing/store-fixture'
import { createUser } from './users'

const user = {
  email: 'ann@example.com',
  password: 'moss-covered lantern',
  role: 'admin',
  connectionId: defaultConnectionId,
} as const

let store: OpenDatabase

beforeAll(async () => {
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.NEXTAUTH_URL = 'https://desk.example'
  process.env.TRUSTED_PROXIES = '1'
  store = await setMemoryStore()
  await createUser(store.db, user)
})
afterAll(() => store.close())

it('on an https desk every cookie is Secure and tied to the host', async () => {
  const client = new AuthClient()
  const response = await client.signIn(user.email, user.password, '/payments')
  expect(await response.json()).toEqual({ url: 'https://desk.example/payments' })
  expect([...client.cookies.keys()].toSorted()).toEqual([
    '__Host-debitdesk.device',
    '__Host-next-auth.callback-url',
    '__Host-next-auth.csrf-token',
    '__Host-next-auth.session-token',
  ])
  for (const line of client.setCookies) {
    expect(line).toMatch(/; Secure/u)
    expect(line).toMatch(/; Path=\/(?:;|$)/u)
    expect(line).not.toMatch(/Domain/u)
  }
})

it('a cookie without the prefix, as a sibling host could plant it, signs nobody in', async () => {
  const client = new AuthClient()
  await client.signIn(user.email, user.password)
  const token = client.cookies.get('__Host-next-auth.session-token') ?? ''
  const planted = new AuthClient()
  for (const name of [
    'next-auth.session-token',
    '__Secure-next-auth.session-token',
    '__host-next-auth.session-token',
  ]) {
    planted.cookies.set(name, token)
  }
  expect(await (await planted.send('GET', 'session')).json()).toEqual({})
})

it.each(['http://desk.example', 'https://sub.desk.example', 'https://desk.example.evil.test', 'http://localhost:3000'])(
  'a post from %s is refused: only loopback has other names',
  async (origin) => {
    const response = await new AuthClient().post('callback/credentials', user, { headers: { origin } })
    expect(response.status).toBe(403)
  },
)
