import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import type { ExportScheduleRequest } from '@/lib/domain/lists/export-schedule'
import { createTenantScope } from '../auth/tenant-scope'
import { createSchedule } from '../exports/schedules'
import { chooseNotification, listNotifications } from '../mail/choices'
import { sendDueDigests } from '../mail/digest'
import { countKey } from '../overview/overview'
import { getSettings } from '../runtime/settings'
import { mails } from '../store/mail-schema'
import { connections, defaultConnectionId, memberships } from '../store/schema'
import { keepSession, makeSession, setMemoryStore } from '../testing/store-fixture'
import { makeConnection, setConnection } from './connection'
import { Credential } from './credentials'

/* With UPSTREAM_AUTH=session the merchant of the settings is called with each person's own token, an added one isn't. */

let store: OpenDatabase
const session = makeSession('viewer')
const added = 'm-added'

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  Object.assign(process.env, {
    UPSTREAM_URL: 'http://127.0.0.1:9',
    UPSTREAM_AUTH: 'session',
    OIDC_ISSUER: 'https://login.example',
    OIDC_CLIENT_ID: 'desk',
    OIDC_CLIENT_SECRET: 'a secret of the client',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'desk@example.com',
    NEXTAUTH_SECRET: 'a secret for tests that is long enough',
  })
  store = await setMemoryStore()
  await keepSession(store.db, session)
  await store.db.insert(connections).values({ connectionId: added, name: 'Added' })
  const { userId } = session
  for (const connectionId of [defaultConnectionId, added])
    await store.db.insert(memberships).values({ connectionId, userId, role: 'viewer' })
  setConnection({ ...makeConnection(getSettings()), connectionId: added, credential: new Credential(null, []) })
})
afterAll(() => store.close())

it('exports are scheduled at an added merchant alone', async () => {
  const request: ExportScheduleRequest = {
    query: { list: 'listPayments', asked: null, rest: null, order: null, filters: {}, columns: ['id'], zone: 'UTC' },
    moving: [],
    times: { rhythm: 'daily', day: 1, hour: 7 },
  }
  await expect(createSchedule(store.db, session, request)).rejects.toMatchObject({ code: 'not-possible' })
  const there = { ...session, scope: createTenantScope(added) }
  expect(await createSchedule(store.db, there, request)).toMatchObject({ connectionId: added })
})

it('payments are counted for each person at the merchant of the settings alone', () => {
  const other = makeSession('viewer')
  const at = (one: typeof session) => ({ ...one, scope: createTenantScope(added) })
  expect(countKey(session)).not.toBe(countKey(other))
  expect(countKey(at(session))).toBe(countKey(at(other)))
})

it('a digest is offered, chosen and counted at an added merchant alone', async () => {
  const { db } = store
  const wanted = { kind: 'closing-today', isWanted: true, hour: 6 } as const
  const offered = (await listNotifications(db, session)).map((one) => [one.connectionId, one.offered])
  expect(Object.fromEntries(offered)).toMatchObject({
    [added]: expect.arrayContaining(['closing-today']),
    [defaultConnectionId]: expect.not.arrayContaining(['closing-today']),
  })
  const choose = (connectionId: string, now?: number) =>
    chooseNotification(db, session, { ...wanted, connectionId }, now)
  await expect(choose(defaultConnectionId)).rejects.toMatchObject({ code: 'not-possible' })
  await choose(added, Date.parse('2026-11-27T04:00:00Z'))
  await sendDueDigests(db, Date.parse('2026-11-27T05:10:00Z'))
  // Nobody answers at its address, and the mail says that they weren't counted.
  expect(await db.select({ connectionId: mails.connectionId, content: mails.content }).from(mails)).toMatchObject([
    { connectionId: added, content: { kind: 'closing-today' } },
  ])
})
