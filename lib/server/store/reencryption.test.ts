import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { activity, connections, defaultConnectionId, sessions } from './schema'
import { listExportParts, listExports } from './export-schema'
import { inboxMessages } from './inbox-schema'
import { mails } from './mail-schema'
import { providerTokens } from './auth-schema'
import { setMemoryStore } from '../testing/store-fixture'

const [old, next, third] = ['old', 'next', 'third'].map((name) => `the ${name} secret of a desk that rotates it`)
const user = { email: 'ann@example.com', password: 'moss-covered lantern', role: 'admin' } as const
const whsec = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const arrived = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const other = 'm-0123456789'
const [sessionName, deviceName] = ['next-auth.session-token', 'debitdesk.device']

/** Simulates a process started with these secrets, since settings are read only once. */
async function start(secret = '', previous = '') {
  vi.resetModules()
  globalThis.debitdeskSettings = undefined
  process.env.NEXTAUTH_SECRET = secret
  process.env.NEXTAUTH_SECRET_PREVIOUS = previous
  return {
    ...(await import('../activity-log/record-settings')),
    ...(await import('../upstream/stored-connections')),
    ...(await import('../exports/export-parts')),
    ...(await import('../webhooks/inbox')),
    ...(await import('../webhooks/queries')),
    ...(await import('../auth/known-device')),
    ...(await import('../auth/provider-tokens')),
    ...(await import('../auth/tenant-scope')),
    ...(await import('../second-factor/totp')),
    ...(await import('./encryption')),
    ...(await import('../auth/session-token')),
    ...(await import('../runtime/settings')),
    ...(await import('../testing/auth-fixture')),
    ...(await import('../auth/users')),
    ...(await import('../mail/queue-mail')),
    ...(await import('./reencryption')),
  }
}
type Desk = Awaited<ReturnType<typeof start>>

let store: OpenDatabase
const cookies = new Map<string, string>()
const exportId = randomUUID()
let sessionId = ''

/** The browser's id that a mark of the user's account holds. */
async function readMark(desk: Desk, mark: string | undefined) {
  const account = await desk.findAccount(store.db, user.email)
  return account && desk.readKnownDevice(mark, account, new Date())
}

/** Everything encrypted with the desk's secrets, as decrypted by this desk. */
async function readAll(desk: Desk) {
  const { db } = store
  const [connection] = await db.select().from(connections).where(eq(connections.connectionId, other))
  const tokens = await desk.findProviderTokens(db, { sessionId }, new Date())
  const reader = { role: 'admin' as const, scope: desk.createTenantScope(defaultConnectionId) }
  const parts: string[] = []
  for await (const { text } of desk.readParts(db, { id: exportId, parts: 3 })) parts.push(text)
  const [mail] = await db.select().from(mails)
  const inbox = await desk.findInbox(db, defaultConnectionId)
  return {
    link: mail?.link && desk.decryptSecret(mail.link, desk.mailLinkPurpose(mail.id)),
    isSignedIn: (await desk.readSessionToken(cookies.get(sessionName))) !== null,
    isKnownDevice: (await readMark(desk, cookies.get(deviceName))) !== null,
    credential: connection && desk.explainUnreadableCredential(connection),
    signingSecrets: [inbox?.signingSecret, inbox?.candidate],
    bodies: (await desk.viewInbox(reader)).messages.map(({ body }) => body),
    tokens: tokens?.access,
    parts: parts.slice(1),
  }
}

const everything = {
  link: 'a link',
  isSignedIn: true,
  isKnownDevice: true,
  credential: null,
  signingSecrets: [whsec, arrived],
  bodies: ['sealed body', 'plain body'],
  tokens: 'an access token',
  parts: ['a header', 'a sealed row', 'a plain row'],
}

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.env.NEXTAUTH_URL = 'http://127.0.0.1:3000'
  store = await setMemoryStore()
  const { db } = store
  const desk = await start(old)
  const userId = await desk.createUser(db, { ...user, connectionId: defaultConnectionId })
  const client = new desk.AuthClient()
  await client.signIn(user.email, user.password)
  for (const [name, value] of client.cookies) cookies.set(name, value)
  sessionId = (await db.select({ id: sessions.id }).from(sessions))[0]?.id ?? ''
  await db.insert(connections).values({ connectionId: other, name: 'Other', settings: null })
  await db.update(connections).set(desk.encryptCredential(other, 'a token')).where(eq(connections.connectionId, other))
  await desk.openInbox(db, defaultConnectionId)
  await desk.keepSigningSecret(db, defaultConnectionId, whsec)
  await desk.adoptSigningSecret(db, defaultConnectionId, arrived)
  const message = { connectionId: defaultConnectionId, headers: {}, verdict: 'valid' as const }
  const body = desk.encryptSecret('sealed body', desk.bodyPurpose(defaultConnectionId))
  await db.insert(inboxMessages).values({ ...message, body: 'plain body' })
  await db.insert(inboxMessages).values({ ...message, body, sealed: true })
  const given = { access: 'an access token', refresh: null, expiresAt: null }
  await desk.keepProviderTokens(db, sessionId, given, new Date())
  await desk.beginTotp(db, { id: userId, email: user.email }, new Date())
  const query = {
    list: 'listPayments',
    asked: null,
    rest: null,
    order: null,
    filters: {},
    columns: [],
    zone: 'UTC',
  } as const
  const row = { connectionId: defaultConnectionId, userId, startedBy: user.email, state: 'complete' as const }
  await db.insert(listExports).values({ id: exportId, ...row, query: { ...query, columns: [] } })
  await desk.storePart(db, { exportId, part: 0, text: 'a header' })
  await desk.storePart(db, { exportId, part: 1, text: 'a sealed row' })
  await db.insert(listExportParts).values({ exportId, part: 2, text: 'a plain row' })
  const content = { kind: 'password-changed', at: '2026-11-20T12:00:00Z' } as const
  const mailId = randomUUID()
  const link = desk.encryptSecret('a link', desk.mailLinkPurpose(mailId))
  await db.insert(mails).values({ id: mailId, key: 'a', userId, content, link, dueAt: new Date() })
  await desk.recordSettings(db, defaultConnectionId, desk.parseSettings(process.env))
})
afterAll(() => store.close())

test('everything opens with the secret that it was made with', async () => {
  expect(await readAll(await start(old))).toEqual(everything)
})

describe('NEXTAUTH_SECRET is changed', () => {
  test('with the one before as NEXTAUTH_SECRET_PREVIOUS everything still opens', async () => {
    expect(await readAll(await start(next, old))).toEqual(everything)
    // In the other order too: this is how several desks on one store are prepared, one after the other.
    expect(await readAll(await start(old, next))).toEqual(everything)
  })

  test('a session made with the one before is given a cookie made with the new one, and nobody is signed out', async () => {
    const desk = await start(next, old)
    const client = new desk.AuthClient()
    for (const [name, value] of cookies) client.cookies.set(name, value)
    expect(await (await client.send('GET', 'session')).json()).toMatchObject({ user: { email: user.email } })
    const renewed = client.cookies.get(sessionName)
    expect(renewed).not.toBe(cookies.get(sessionName))
    // The same browser's CSRF token is accepted when signing in, and its device cookie is renewed.
    const later = new desk.AuthClient()
    for (const [name, value] of cookies) if (name !== sessionName) later.cookies.set(name, value)
    expect((await later.signIn(user.email, user.password)).status).toBe(200)
    const alone = await start(next)
    expect(await alone.readSessionToken(renewed)).toMatchObject({ sid: sessionId })
    expect(await readMark(alone, later.cookies.get(deviceName))).toBe(cookies.get(deviceName)?.slice(0, 22))
    expect(await alone.readSessionToken(cookies.get(sessionName))).toBeNull()
  })

  test('the activity log names the secrets as changed, and no other setting', async () => {
    const desk = await start(next, old)
    await desk.recordSettings(store.db, defaultConnectionId, desk.parseSettings(process.env))
    const rows = await store.db.select().from(activity).where(eq(activity.action, 'setting.changed'))
    expect(rows.map(({ details }) => Object(details).changed)).toEqual([
      undefined,
      ['NEXTAUTH_SECRET', 'NEXTAUTH_SECRET_PREVIOUS'],
    ])
  })

  test('the store is sealed anew by a command, once; then the one before is not needed any more', async () => {
    const desk = await start(next, old)
    const counts = (resealed: number, current = 0) => ({ current, resealed, changed: 0, unreadable: 0 })
    expect(await desk.reencryptStore(store.db)).toEqual({
      'merchants’ credentials': counts(1),
      'signing secrets': counts(2),
      'provider tokens': counts(1),
      'secrets of authenticator apps': counts(1),
      'inbox bodies': counts(2),
      'parts of exports': counts(3),
      'links in mails': counts(1),
    })
    const again = await desk.reencryptStore(store.db)
    expect(Object.values(again)).toEqual([
      counts(0, 1),
      counts(0, 2),
      counts(0, 1),
      counts(0, 1),
      counts(0, 2),
      counts(0, 3),
      counts(0, 1),
    ])
    expect(await store.db.$count(activity, eq(activity.action, 'setting.resealed'))).toBe(1)
    expect(JSON.stringify(await store.db.select().from(inboxMessages))).not.toContain('plain body')
    expect(JSON.stringify(await store.db.select().from(listExportParts))).not.toContain('a plain row')
    expect(await readAll(await start(next))).toEqual({ ...everything, isSignedIn: false, isKnownDevice: false })
  })

  test('what opens with neither secret is told and left as it is', async () => {
    const desk = await start(third)
    const before = await store.db.select().from(providerTokens)
    const told = Object.values(await desk.reencryptStore(store.db))
    expect(told.map(({ unreadable, resealed }) => [unreadable, resealed])).toEqual([
      [1, 0],
      [2, 0],
      [1, 0],
      [1, 0],
      [2, 0],
      [3, 0],
      [1, 0],
    ])
    expect(await store.db.select().from(providerTokens)).toEqual(before)
    const reader = { role: 'admin' as const, scope: desk.createTenantScope(defaultConnectionId) }
    expect((await desk.viewInbox(reader)).messages.map(({ body }) => body)).toEqual([null, null])
    await expect(readAll(desk)).rejects.toThrow('secret-locked')
  })
})
