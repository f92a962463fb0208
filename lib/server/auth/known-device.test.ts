import { beforeAll, expect, it, vi } from 'vitest'
import { PUT as changePassword } from '@/app/api/desk/password/route'
import { PUT as acceptLink } from '@/app/api/password-link/route'
import { makePasswordLink } from '../team/password-links'
import { AuthClient, AuthDesk, supporter } from '../testing/auth-fixture'
import { ask } from '../testing/factor-fixture'
import { getDeviceCookieName, readKnownDevice, writeKnownDevice } from './known-device'
import { findAccountById } from './users'

const desk = new AuthDesk()
const password = 'seven quiet harbours'
const day = 24 * 60 * 60_000

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})

async function guessWith(mark: string, peer: string) {
  const client = new AuthClient(peer)
  client.cookies.set(getDeviceCookieName(), mark)
  return (await client.signIn(supporter.email, 'wrong')).status
}

it('marks of known browsers that were collected before a new password are worth nothing after it', async () => {
  const collected: string[] = []
  for (let count = 0; count < 3; count += 1)
    collected.push((await desk.signIn()).cookies.get(getDeviceCookieName()) ?? '')
  const owner = await desk.signIn()
  const given = { current: supporter.password, password }
  expect((await ask(owner, changePassword, 'PUT', given)).status).toBe(200)
  for (let count = 0; count < 10; count += 1) await new AuthClient('203.0.113.9').signIn(supporter.email, 'wrong')
  for (const mark of collected) expect(await guessWith(mark, '198.51.100.7')).toBe(429)
  // The browser in which it was changed is known as before.
  expect(await guessWith(owner.cookies.get(getDeviceCookieName()) ?? '', '198.51.100.8')).toBe(401)
})

it('a password set with a link keeps the browser known that was, and makes no other known', async () => {
  const email = 'links@example.com'
  const user = { id: await desk.addUser(email, 'viewer'), email }
  const setPassword = async (client: AuthClient, next: string) => {
    const { address } = await makePasswordLink(desk.db, { user, kind: 'reset', madeBy: 'test' }, new Date())
    const given = { secret: address?.split('#')[1], password: next }
    expect((await ask(client, acceptLink, 'PUT', given)).status).toBe(200)
    const account = await findAccountById(desk.db, user.id)
    const mark = client.cookies.get(getDeviceCookieName())
    return account !== null && readKnownDevice(mark, account, new Date()) !== null
  }
  expect(await setPassword(await desk.signIn(email), 'nine quiet harbours')).toBe(true)
  expect(await setPassword(new AuthClient(), 'five quiet harbours')).toBe(false)
})

it('a mark is worth nothing after 180 days, whatever the browser keeps', () => {
  const ann = { email: 'ann@example.com', passwordHash: 'a hash' }
  const start = new Date('2026-11-20T10:00:00Z')
  const after = (days: number) => new Date(start.getTime() + days * day)
  const [, mark = ''] = /=(.+?);/u.exec(writeKnownDevice(undefined, ann, start)) ?? []
  expect(readKnownDevice(mark, ann, after(179))).toBe(mark.slice(0, 22))
  expect(readKnownDevice(mark, ann, after(181))).toBeNull()
  const [id, , tag, mac] = mark.split('.')
  const [, , later] = (writeKnownDevice(undefined, ann, after(100)).split(';')[0] ?? '').split('.')
  expect(readKnownDevice(`${id}.${later}.${tag}.${mac}`, ann, after(181))).toBeNull()
  expect(readKnownDevice(mark, { ...ann, passwordHash: 'another' }, start)).toBeNull()
})

it('a new mark replaces an older one of its account, and expired ones, and none of another account', () => {
  const start = new Date('2026-11-20T10:00:00Z')
  const add = (cookie: string | undefined, name: string, passwordHash: string, days: number) =>
    /=(.+?);/u.exec(
      writeKnownDevice(cookie, { email: `${name}@example.com`, passwordHash }, new Date(start.getTime() + days * day)),
    )?.[1]
  let cookie: string | undefined
  for (const name of ['dee', 'bo', 'cy', 'ann']) cookie = add(cookie, name, 'a hash', name === 'dee' ? 0 : 170)
  for (const change of [1, 2, 3]) cookie = add(cookie, 'ann', `hash ${change}`, 175)
  const isKnown = (name: string, days: number) =>
    readKnownDevice(
      cookie,
      { email: `${name}@example.com`, passwordHash: name === 'ann' ? 'hash 3' : 'a hash' },
      new Date(start.getTime() + days * day),
    ) !== null
  expect(['ann', 'bo', 'cy', 'dee'].map((name) => isKnown(name, 175))).toEqual([true, true, true, true])
  cookie = add(cookie, 'eve', 'a hash', 181)
  expect(cookie?.split('~').length).toBe(4)
  expect(['ann', 'bo', 'cy', 'eve'].map((name) => isKnown(name, 181))).toEqual([true, true, true, true])
})
