import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { getSettings } from '../runtime/settings'
import { identities } from '../store/auth-schema'
import { authenticators } from '../store/factor-schema'
import { defaultConnectionId, users } from '../store/schema'
import { addAdmin, setMemoryStore } from '../testing/store-fixture'
import { findLastAdminOf } from './last-admin'

let store: OpenDatabase
let userId: string
let other: string

beforeAll(async () => {
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  store = await setMemoryStore()
  ;({ userId } = await addAdmin(store.db))
  ;({ userId: other } = await addAdmin(store.db))
})
afterEach(async () => {
  Object.assign(getSettings(), { PASSWORDS: 'on', OIDC_ISSUER: undefined })
  await store.db.delete(identities)
  await store.db.delete(authenticators)
  await store.db.update(users).set({ passwordHash: null })
})
afterAll(() => store.close())

const issuer = 'https://login.example/'
const setPassword = () => store.db.update(users).set({ passwordHash: 'x' }).where(eq(users.id, other))
const setIdentity = (at = issuer) => store.db.insert(identities).values({ issuer: at, subject: 'x', userId: other })
const setPasskey = (kind: 'passkey' | 'totp' = 'passkey') =>
  store.db.insert(authenticators).values({ id: randomUUID(), userId: other, kind, name: '', createdAt: new Date() })

const byProvider = { OIDC_ISSUER: 'https://login.example' }
const withoutPasswords = { ...byProvider, PASSWORDS: 'off' }

it.each<[what: string, settings: object, set: (() => PromiseLike<unknown>)[], canSignIn: boolean]>([
  ['with a password', {}, [setPassword], true],
  ['with a password that the desk takes no more', withoutPasswords, [setPassword], false],
  ['of the provider', byProvider, [setIdentity], true],
  ['of a provider that the desk no longer has', {}, [setIdentity], false],
  ['of the provider before', byProvider, [() => setIdentity('https://former.example')], false],
  ['with a passkey', withoutPasswords, [setPassword, setPasskey], true],
  ['with an app', withoutPasswords, [setPassword, () => setPasskey('totp')], false],
  ['of a provider that is gone, with a passkey', {}, [setIdentity, setPasskey], false],
  ['who is only invited', {}, [], false],
])('another admin %s counts where they can sign in', async (_, settings, set, canSignIn) => {
  await store.db.update(users).set({ passwordHash: null })
  for (const each of set) await each()
  Object.assign(getSettings(), settings)
  const last = await findLastAdminOf(store.db, userId)
  expect(last?.connectionId ?? null).toBe(canSignIn ? null : defaultConnectionId)
})
